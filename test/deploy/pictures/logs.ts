import { matches, readQuery, type LogQuery } from '../logql.js';
import type { Shipped } from '../scenario.js';
import { instantsOf, type Series, type Span } from './series.js';

/** What Loki would give for a query of the dashboard; there is no Loki in the package registries. */
export function queryRecords(expression: string, records: Shipped[], span: Span): Series[] {
  const [left = '', right] = expression.split(' / ');
  if (right === undefined) return measure(expression, records, span);
  const [above, below] = [left, right].map((each) => measure(each, records, span)[0]);
  const divided = (above?.points ?? []).map(([at, value], n): [number, number] => [
    at,
    value / (below?.points[n]?.[1] ?? 0),
  ]);
  return [{ labels: {}, points: divided.filter(([, value]) => Number.isFinite(value)) }];
}

/** The records that a query selects. */
export function selectRecords(expression: string, records: Shipped[]): Shipped[] {
  return select(readQuery(expression), records);
}

function measure(expression: string, records: Shipped[], span: Span): Series[] {
  const query = readQuery(expression);
  const windowSeconds = Number(/\[(\d+)s\]/.exec(expression)?.[1]);
  const quantile = /quantile_over_time\(([\d.]+)/.exec(expression)?.[1];
  const most = Number(/topk\((\d+)/.exec(expression)?.[1] ?? Infinity);
  const groups = new Map<string, Series & { samples: { at: number; value: number }[] }>();
  for (const shipped of select(query, records)) {
    const labels = Object.fromEntries(
      query.grouped.map((label) => [label, valueOf(shipped, label)]),
    );
    const name = JSON.stringify(labels);
    const group = groups.get(name) ?? { labels, points: [], samples: [] };
    groups.set(name, group);
    const at = Date.parse(shipped.record.timestamp) / 1000;
    group.samples.push({ at, value: Number(valueOf(shipped, query.unwrapped[0] ?? '')) });
  }
  for (const { points, samples } of groups.values()) {
    for (const at of instantsOf(span)) {
      const values = samples
        .filter((sample) => sample.at > at - windowSeconds && sample.at <= at)
        .map(({ value }) => value)
        .sort((a, b) => a - b);
      if (values.length === 0) continue;
      const index = Math.ceil(Number(quantile) * values.length) - 1;
      const count = expression.includes('rate(') ? values.length / windowSeconds : values.length;
      points.push([at, quantile === undefined ? count : (values[Math.max(0, index)] ?? 0)]);
    }
  }
  const last = ({ points }: Series) => points.at(-1)?.[1] ?? 0;
  return [...groups.values()].sort((a, b) => last(b) - last(a)).slice(0, most);
}

function select({ streams, filters, lineFilters }: LogQuery, records: Shipped[]): Shipped[] {
  return records.filter((shipped) => {
    const stream: Record<string, string> = {
      component: shipped.component,
      level: shipped.record.level,
    };
    const line = JSON.stringify(shipped.record);
    return (
      streams.every((each) => !(each.label in stream) || matches(each, stream[each.label] ?? '')) &&
      lineFilters.every((filter) => new RegExp(filter).test(line)) &&
      filters.every((each) => matches(each, valueOf(shipped, each.label)))
    );
  });
}

/** The dashboard names each label like its field. */
function valueOf({ record }: Shipped, label: string): string {
  const value = record[label] ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
