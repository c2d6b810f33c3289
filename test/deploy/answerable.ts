import assert from 'node:assert/strict';
import { matches, readQuery } from './logql.js';
import type { Shipped } from './scenario.js';

/** A query of a dashboard. */
export interface Query {
  name?: string;
  expr: string;
  datasource: { uid: string };
  titleFormat?: string;
  textFormat?: string;
  legendFormat?: string;
}

/** Labels that Prometheus adds to what it scrapes. */
const SCRAPED = ['job', 'namespace', 'component', 'instance'];

/** Fails unless each metric that a PromQL expression names is among the samples, with its labels. */
export function assertMeasured(expr: string, metrics: string, about: string): void {
  for (const [, name = '', matchers = ''] of expr.matchAll(
    /\b((?:weather|nodejs|process)_\w+)(?:\{([^}]*)\})?/g,
  )) {
    const samples = metrics.split('\n').filter((line) => line.startsWith(`${name}{`));
    const bare = metrics.split('\n').filter((line) => line.startsWith(`${name} `));
    assert.ok(samples.length + bare.length > 0, `${about}: nothing is called ${name}`);
    for (const [, label = ''] of matchers.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)) {
      assert.ok(
        SCRAPED.includes(label) || samples.some((line) => line.includes(`${label}="`)),
        `${about}: ${name} has no ${label}`,
      );
    }
  }
}

/** @param path as Loki writes it: `err.type` is the field `type` of the field `err` */
function fieldOf(record: object, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.'))
    value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
}

/** Fails unless the query reads fields that are written, and finds at least one real record. */
export function assertAnswerable(
  query: Query,
  records: Shipped[],
  streamLabels: (string | undefined)[],
): void {
  // What somebody puts into the boxes.
  const asked = records.find(({ record }) => 'fetch_id' in record && 'request_id' in record);
  const expression = query.expr
    .replaceAll('$__auto', '1m')
    .replaceAll('$__range', '1h')
    .replaceAll(/\$(namespace|component|instance)/g, '.*')
    .replaceAll(/\$(request_id|fetch_id|city)/g, (_, box: string) => String(asked?.record[box]))
    // The same in the documents.
    .replaceAll(/\b(?:REQUEST-ID|FETCH-ID|CITY)\b/g, (word) =>
      String(asked?.record[word.toLowerCase().replace('-', '_')]),
    )
    .replaceAll('INSTANCE', 'weather-api-1');
  const { streams, extracted, filters, unwrapped, grouped, lineFilters } = readQuery(expression);
  for (const { label } of streams)
    assert.ok(streamLabels.includes(label), `no stream has ${label}`);
  const shown = [query.legendFormat, query.titleFormat, query.textFormat].join(' ');
  const displayed = [...shown.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
  for (const label of [...filters.map((f) => f.label), ...unwrapped, ...grouped, ...displayed]) {
    const known = extracted.has(label) || streamLabels.includes(label);
    assert.ok(known, `${label} is not extracted`);
  }

  const stream = ({ component, record }: Shipped): Record<string, string> => ({
    app: 'weather-lookup-service',
    namespace: 'compose',
    component,
    instance: `weather-${component}-1`,
    level: record.level,
  });
  const ofStreams = records.filter((shipped) =>
    streams.every((matcher) => {
      const value = stream(shipped)[matcher.label];
      return matcher.label === 'app' || matches(matcher, value ?? '');
    }),
  );
  const events = filters.filter(({ label }) => label === 'event').map(({ value }) => value);
  for (const event of events.flatMap((value) => value.split('|'))) {
    const found = ofStreams.some(({ record }) => record.event === event);
    assert.ok(found, `no record of ${event}`);
  }
  const ofEvents = ofStreams.filter(
    ({ record }) =>
      events.length === 0 || events.some((value) => value.split('|').includes(record.event)),
  );
  for (const path of extracted.values()) {
    const found = ofEvents.some(({ record }) => fieldOf(record, path) !== undefined);
    assert.ok(found, `no record has the field ${path}`);
  }
  const lines = ofEvents.filter(({ record }) => {
    const line = JSON.stringify(record);
    return lineFilters.every((filter) => new RegExp(filter).test(line));
  });
  const valueOf = ({ record }: Shipped, label: string): string => {
    const value = fieldOf(record, extracted.get(label) ?? label);
    if (typeof value === 'string') return value;
    return value === undefined || value === null ? '' : JSON.stringify(value);
  };
  const selected = lines.filter((shipped) =>
    filters.every((matcher) => matches(matcher, valueOf(shipped, matcher.label))),
  );
  assert.ok(selected.length > 0, `no record meets ${expression}`);
  for (const label of unwrapped) {
    for (const shipped of selected) assert.match(valueOf(shipped, label), /^\d+(\.\d+)?$/);
  }
}
