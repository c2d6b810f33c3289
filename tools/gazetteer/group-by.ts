/** Groups items by a key, in their order. Node.js 20 has no `Map.groupBy`. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Adds items to the group of a key. */
export function addTo<T, K>(groups: Map<K, T[]>, key: K, ...items: T[]): void {
  const group = groups.get(key);
  if (group) group.push(...items);
  else groups.set(key, items);
}
