/** Where each of several items begins that follow one another, and where the last ends. */
export function startsOf(lengths: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] ?? 0) + (lengths[i] ?? 0);
  return starts;
}
