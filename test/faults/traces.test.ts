import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, type Reply } from '../support/load.js';
import { placePath } from '../support/places.js';
import { createRandom } from '../support/random.js';
import type { LogRecord } from '../support/service.js';
import { SEED } from '../support/seed.js';
import { useStack } from '../support/shared-stack.js';
import type { Processes } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';

const ALL_FAILED =
  'No weather provider gave an answer: ' +
  'open-meteo: server error (status 500); met-norway: server error (status 500)';

interface Asked {
  place: number;
  requestId: string;
  traceId: string;
  reply: Reply;
}

/** Asks under an id and a trace of its own. */
async function ask(processes: Processes, place: number): Promise<Asked> {
  const [requestId, traceId] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')];
  const headers = { 'X-Request-ID': requestId, traceparent: `00-${traceId}-${'1'.repeat(16)}-01` };
  const reply = await attempt(processes.url(placePath(place)), { headers });
  return { place, requestId, traceId, reply };
}

const recordsOf = ({ replicas, workers }: Processes): LogRecord[] =>
  [...replicas, ...workers].flatMap(({ records }) => records);

/** The query in docs/operations/watch.md: from the id of a request to the records with its key and its fetch. */
function causeOf(records: LogRecord[], requestId: string): [LogRecord, LogRecord[]] {
  const request = records.find((record) => record['request_id'] === requestId);
  assert.ok(request?.event === 'weather_request', `no record of ${requestId}`);
  const { key, fetch_id: fetchId } = request;
  assert.ok(typeof key === 'string' && typeof fetchId === 'string', JSON.stringify(request));
  const cause = records.filter(
    (record) => record['fetch_id'] === fetchId && record.event !== 'weather_request',
  );
  for (const record of cause) assert.equal(record['key'], key);
  return [request, cause];
}

async function assertRecorded(processes: Processes, asked: Asked[]): Promise<LogRecord[]> {
  const recorded = () => new Set(recordsOf(processes).map((record) => record['request_id']));
  await eventually(() => {
    const ids = recorded();
    return asked.every(({ requestId }) => ids.has(requestId));
  }, 'the records of all requests');
  return recordsOf(processes);
}

describe('the way from a request to its fetch', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { CACHE_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0' },
  });

  it(`traces: each MISS and COALESCED leads to its fetch (TEST_SEED=${SEED})`, async () => {
    const stack = stackOf();
    await workerFetches(stack);
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 100 });
    const random = createRandom(SEED);
    const rounds: { from: string; to: string; asked: Asked[] }[] = [];
    // The same places again and again: the key alone does not tell one fetch from the next.
    for (let round = 0; round < 3; round += 1) {
      const from = new Date().toISOString();
      const places = Array.from({ length: 60 }, () => random.between(1, 12));
      const asked = await Promise.all(places.map((place) => ask(stack, place)));
      rounds.push({ from, to: new Date().toISOString(), asked });
      await sleep(1100);
    }

    const records = await assertRecorded(
      stack,
      rounds.flatMap(({ asked }) => asked),
    );
    let checked = 0;
    for (const { from, to, asked } of rounds) {
      const missed = asked.filter(({ reply }) => reply.headers['x-cache'] === 'MISS');
      for (const { place, requestId, traceId, reply } of asked) {
        const outcome = String(reply.headers['x-cache']);
        if (outcome !== 'MISS' && outcome !== 'COALESCED') continue;
        checked += 1;
        const [request, cause] = causeOf(records, requestId);
        assert.equal(request['trace_id'], traceId);
        const [fetch] = cause;
        assert.deepEqual([cause.length, fetch?.event, fetch?.['outcome']], [1, 'fetch', 'ok']);
        // The fetch of this round, started by one of the requests that waited for it first.
        assert.ok(fetch!.timestamp >= from && fetch!.timestamp <= to, `${outcome} ${from}`);
        const first = missed.filter((other) => other.place === place);
        const traces = first.map((other) => other.traceId);
        assert.ok(traces.includes(String(fetch!['trace_id'])), `${outcome} has another's fetch`);
      }
    }
    // Each round fetches every place that it draws.
    assert.ok(checked >= 24, `only ${checked} answers needed a fetch`);
    const workers = stack.workers.flatMap((worker) => worker.of('fetch'));
    assert.ok(workers.some((fetch) => fetch['trace_id'] !== undefined));
    // What the client's trace is called is nobody's business.
    const sent = JSON.stringify(stack.upstream.calls);
    assert.ok(!sent.includes('traceparent'));
    for (const { asked } of rounds)
      for (const { traceId } of asked) assert.ok(!sent.includes(traceId));
  });

  it('traces: a refusal leads to the failures of its providers, in whichever process', async () => {
    const stack = stackOf();
    stack.upstream.behaveAll({ kind: 'status', status: 500, delayMs: 200 });
    const asked = await Promise.all([ask(stack, 101), ask(stack, 101), ask(stack, 101)]);
    const records = await assertRecorded(stack, asked);
    for (const { requestId, reply } of asked) {
      assert.equal(reply.status, 503);
      const [request, cause] = causeOf(records, requestId);
      // Also where another process has asked the providers. The client is told nothing of them.
      assert.equal((request['err'] as { message: string }).message, ALL_FAILED);
      assert.ok(!reply.text.includes('open-meteo'), reply.text);
      assert.deepEqual(
        cause.map((record) => [record.event, record['provider']]),
        [
          ['upstream_failed', 'open-meteo'],
          ['upstream_failed', 'met-norway'],
          ['fetch', undefined],
        ],
      );
      const traces = new Set(cause.map((record) => record['trace_id']));
      assert.equal(traces.size, 1);
      assert.ok(asked.some(({ traceId }) => traces.has(traceId)));
    }
  });

  it('traces: a hit leads to the fetch that brought it, a stale answer to that which failed', async () => {
    const stack = stackOf();
    const fresh = [await ask(stack, 201)];
    // On a busy machine the entry may have ended before the next request.
    await eventually(async () => {
      fresh.push(await ask(stack, 201));
      return fresh.at(-1)!.reply.headers['x-cache'] === 'HIT';
    }, 'a hit');
    stack.upstream.behaveAll({ kind: 'status', status: 500 });
    await sleep(1100);
    const stale = await ask(stack, 201);
    assert.equal(stale.reply.headers['x-cache'], 'STALE');
    const records = await assertRecorded(stack, [...fresh, stale]);
    const [, failed] = causeOf(records, stale.requestId);
    assert.deepEqual(failed.at(-1)?.['outcome'], 'failed');
    const [brought, hit] = fresh.slice(-2).map(({ requestId }) => causeOf(records, requestId)[1]);
    assert.deepEqual(hit, brought);
    assert.equal(hit?.[0]?.['outcome'], 'ok');
  });
});
