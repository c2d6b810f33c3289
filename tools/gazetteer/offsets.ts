/** Returns the offsets of adjacent items of these lengths, and the end of the last item. */
export function offsetsOf(lengths: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] ?? 0) + (lengths[i] ?? 0);
  return starts;
}
