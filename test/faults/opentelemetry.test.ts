import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { workerFetches } from '../support/agreed-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

interface Span {
  traceId: string;
  spanId: string;
  parentId?: string;
  name: string;
  /** 1: a server's, 2: a client's, 0: neither. */
  kind: number;
  attributes: Record<string, unknown>;
  status: { code: number };
  pid: number;
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT = '00f067aa0ba902b7';
const SETUP = new URL('../support/opentelemetry.mjs', import.meta.url).href;

/** Processes with OpenTelemetry attached, as an operator does it: nothing in them knows of it. */
async function startTraced(
  t: TestContext,
  { workers = 1, env = {} }: { workers?: number; env?: Record<string, string> } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'weather-spans-'));
  t.after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'spans');
  const attached = { NODE_OPTIONS: `--import ${SETUP}`, SPANS_FILE: file };
  const stack = await startStack(t, { replicas: 1, workers, env: { ...attached, ...env } });
  const spans = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Span)
      : [];
  /** The spans of a request for a place, from the server's down to the provider's. */
  const chainOf = async (traceId: string) => {
    const ours = () => spans().filter((span) => span.traceId === traceId);
    const ends = (kind: number) => ours().some((span) => span.kind === kind);
    await eventually(() => ends(1) && ends(2), `the spans of ${traceId}`);
    const server = ours().find(({ kind }) => kind === 1)!;
    const fetch = ours().find(({ name }) => name === 'fetch')!;
    const call = ours().find(({ kind }) => kind === 2)!;
    assert.deepEqual([fetch.parentId, call.parentId], [server.spanId, fetch.spanId]);
    return { server, fetch, call };
  };
  return { stack, spans, chainOf };
}

describe('with OpenTelemetry attached from outside', () => {
  it("request, fetch and a worker's call to the provider are one trace, also in the records", async (t) => {
    const { stack, chainOf } = await startTraced(t);
    await workerFetches(stack);
    const headers = { traceparent: `00-${TRACE}-${CLIENT}-01`, tracestate: 'client=1' };
    assert.equal((await attempt(stack.url(placePath(1)), { headers })).status, 200);
    const { server, fetch, call } = await chainOf(TRACE);
    assert.equal(server.parentId, CLIENT);
    const [worker] = stack.workers;
    assert.deepEqual(
      [server.pid, fetch.pid, call.pid],
      [stack.replicas[0]?.pid, worker?.pid, worker?.pid],
    );
    const [record] = worker!.of('fetch').filter(({ trace_id }) => trace_id === TRACE);
    assert.equal(fetch.attributes['weather.fetch_id'], record?.['fetch_id']);
    assert.equal(fetch.attributes['weather.key'], record?.['key']);
    // A provider learns nothing of it.
    const sent = JSON.stringify(stack.upstream.calls);
    assert.ok(sent.includes('user-agent') && !/traceparent|tracestate|client=1/.test(sent), sent);
  });

  it('a request without a trace begins one, which its record names; a failure is marked', async (t) => {
    const { stack, chainOf } = await startTraced(t, { workers: 0 });
    stack.upstream.behaveAll({ kind: 'status', status: 500 });
    assert.equal((await attempt(stack.url(placePath(2)))).status, 503);
    const [replica] = stack.replicas;
    const record = await replica!.waitFor('weather_request');
    const [fetched] = replica!.of('fetch');
    assert.equal(fetched?.['trace_id'], record['trace_id']);
    const { fetch } = await chainOf(String(record['trace_id']));
    assert.equal(fetch.status.code, 2);
  });

  it('a call over TLS is part of the trace', async (t) => {
    const { stack, chainOf } = await startTraced(t, {
      workers: 0,
      env: { WEATHER_PROVIDERS: 'open-meteo', OPEN_METEO_URL: 'https://127.0.0.1:1' },
    });
    const headers = { traceparent: `00-${TRACE}-${CLIENT}-01` };
    assert.equal((await attempt(stack.url(placePath(4)), { headers })).status, 503);
    const { call } = await chainOf(TRACE);
    assert.match(String(call.attributes['url.full']), /^https:/);
  });

  it('requests that wait for each other at a provider keep their own traces', async (t) => {
    const { stack, chainOf } = await startTraced(t, {
      workers: 0,
      env: { UPSTREAM_CONCURRENCY: '1' },
    });
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 50 });
    const traces = Array.from({ length: 6 }, (_, n) => `${n + 1}`.repeat(32));
    await Promise.all(
      traces.map((trace, n) => {
        const headers = { traceparent: `00-${trace}-${CLIENT}-01` };
        return attempt(stack.url(placePath(10 + n)), { headers });
      }),
    );
    for (const trace of traces) await chainOf(trace);
  });

  it('UPSTREAM_TRACE_HEADERS lets providers know', async (t) => {
    const { stack } = await startTraced(t, { workers: 0, env: { UPSTREAM_TRACE_HEADERS: 'true' } });
    const headers = { traceparent: `00-${TRACE}-${CLIENT}-01` };
    assert.equal((await attempt(stack.url(placePath(3)), { headers })).status, 200);
    assert.match(JSON.stringify(stack.upstream.calls), new RegExp(`00-${TRACE}-`));
  });
});
