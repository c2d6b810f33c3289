import assert from 'node:assert/strict';
import type { Query } from './answerable.js';

/** A dashboard of Grafana, as far as tests read it. */
export interface Dashboard {
  uid: string;
  annotations: { list: Query[] };
  templating: { list: { name: string; type: string; query: string }[] };
  panels: {
    title: string;
    type: string;
    interval?: string;
    targets?: Query[];
    fieldConfig?: { defaults: { noValue?: string; unit?: string } };
  }[];
}

/** Every query of the dashboard with the name of its panel or annotation. */
export function queriesOf(dashboard: Dashboard): [string, Query][] {
  return [
    ...dashboard.annotations.list.map((query): [string, Query] => [query.name ?? '', query]),
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map((query): [string, Query] => [title, query]),
    ),
  ];
}

/** What `cache` says in the records; in the metrics in lower case. */
export const OUTCOMES = ['HIT', 'MISS', 'COALESCED', 'STALE'];

/** The query of the panel that says how many answers came from a cache. */
export function hitRatioOf(dashboard: Dashboard): string {
  const [[, { expr }] = ['', { expr: '' }], ...more] = queriesOf(dashboard).filter(
    ([title]) => title === 'Hit ratio',
  );
  assert.deepEqual(more, []);
  return expr;
}

/**
 * Fails unless each panel that counts shows 0 for "no data".
 * @param counting tells a query that counts; a ratio or a list of records has no zero
 */
export function assertZeroShown({ panels }: Dashboard, counting: RegExp): void {
  const counts = panels.filter(
    ({ type, targets = [] }) =>
      ['timeseries', 'stat', 'bargauge'].includes(type) &&
      targets.some(({ expr }) => counting.test(expr) && !expr.includes(' / ')),
  );
  assert.ok(counts.length >= 6);
  for (const { title, fieldConfig } of counts)
    assert.equal(fieldConfig?.defaults.noValue, '0', title);
}
