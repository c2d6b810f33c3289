/**
 * Returns a copy of an API description in which no object has an undescribed member. The published
 * description is open, so that a new member does not break its clients.
 */
export function closed<T>(description: T): T {
  if (Array.isArray(description)) return description.map((each: unknown) => closed(each)) as T;
  if (typeof description !== 'object' || description === null) return description;
  const copy = Object.fromEntries(
    Object.entries(description).map(([name, value]) => [name, closed(value)]),
  );
  return ('properties' in copy ? { additionalProperties: false, ...copy } : copy) as T;
}
