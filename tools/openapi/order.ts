import type { Operation, Paths } from './types.js';

/** The first path of the documentation page. */
const FIRST = '/api/v1/conditions';
const VERSIONED = '/api/v1/';

/** Sorts the paths: the richest endpoint first, and the aliases without a version last, marked as deprecated. */
export function inOrder(paths: Paths): Paths {
  const entries = Object.entries(paths);
  const isFirst = ([path]: [string, unknown]) => path === FIRST || path.startsWith(`${FIRST}/`);
  const isAlias = ([path]: [string, unknown]) => !path.startsWith(VERSIONED);
  return Object.fromEntries([
    ...entries.filter(isFirst),
    ...entries.filter((entry) => !isFirst(entry) && !isAlias(entry)),
    ...entries.filter(isAlias).map(([path, item]) => [path, deprecated(item)] as const),
  ]);
}

function deprecated(item: Record<string, Operation>): Record<string, Operation> {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [method, { ...operation, deprecated: true }]),
  );
}
