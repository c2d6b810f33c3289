/** A copy of an object without some of its fields. */
export function without(
  record: Record<string, unknown>,
  ...names: string[]
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}
