import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, type Reply } from '../support/load.js';
import { placePath } from '../support/places.js';
import { createRandom } from '../support/random.js';
import { SEED } from '../support/seed.js';
import type { LogRecord } from '../support/service.js';
import { useStack } from '../support/shared-stack.js';
import type { Processes } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';

const ALL_FAILED =
  'No weather provider gave an answer: ' +
  'open-meteo: server error (status 500); met-norway: server error (status 500)';

/** A request with its own IDs, and its response. */
interface Traced {
  place: number;
  requestId: string;
  traceId: string;
  reply: Reply;
}

/** Sends a request with an ID and a trace of its own. */
async function request(processes: Processes, place: number): Promise<Traced> {
  const [requestId, traceId] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')];
  const headers = { 'X-Request-ID': requestId, traceparent: `00-${traceId}-${'1'.repeat(16)}-01` };
  const reply = await attempt(processes.url(placePath(place)), { headers });
  return { place, requestId, traceId, reply };
}

const cacheOf = ({ reply }: Traced) => String(reply.headers['x-cache']);

/** Waits for the records of all requests, and of their fetches in other processes. Returns the records of all processes. */
async function recordsOf(processes: Processes, requests: Traced[]): Promise<LogRecord[]> {
  const all = () => [...processes.replicas, ...processes.workers].flatMap(({ records }) => records);
  await eventually(() => {
    const records = all();
    const fetches = new Set(records.map(({ event, fetch_id: id }) => event === 'fetch' && id));
    return requests.every(({ requestId }) => {
      const record = records.find((candidate) => candidate['request_id'] === requestId);
      return record && fetches.has(record['fetch_id']);
    });
  }, 'the records of all requests, and of their fetches');
  return all();
}

/** The query in docs/operations/watch.md: from the ID of a request to the records with its key and its fetch. */
function causeOf(records: LogRecord[], { requestId }: Traced): [LogRecord, LogRecord[]] {
  const record = records.find((candidate) => candidate['request_id'] === requestId);
  assert.ok(record?.event === 'weather_request', `no record of ${requestId}`);
  const { key, fetch_id: fetchId } = record;
  assert.ok(typeof key === 'string' && typeof fetchId === 'string', JSON.stringify(record));
  const cause = records.filter(
    (other) => other['fetch_id'] === fetchId && other.event !== 'weather_request',
  );
  for (const other of cause) assert.equal(other['key'], key);
  return [record, cause];
}

describe('the record of a request', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { CACHE_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0' },
  });

  it('leads to the fetch, for each MISS and COALESCED', async () => {
    const stack = stackOf();
    await workerFetches(stack);
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 100 });
    const random = createRandom(SEED);
    let checked = 0;
    // The same places in each round: the key alone does not distinguish one fetch from the next.
    for (let round = 0; round < 3; round += 1) {
      const from = new Date().toISOString();
      const places = Array.from({ length: 60 }, () => random.between(1, 12));
      const requests = await Promise.all(places.map((place) => request(stack, place)));
      const to = new Date().toISOString();
      const records = await recordsOf(stack, requests);
      const missed = requests.filter((one) => cacheOf(one) === 'MISS');
      const fetching = requests.filter((one) => ['MISS', 'COALESCED'].includes(cacheOf(one)));
      for (const one of fetching) {
        const [record, [fetch, ...others]] = causeOf(records, one);
        assert.equal(record['trace_id'], one.traceId);
        assert.deepEqual([fetch?.event, fetch?.['outcome'], others], ['fetch', 'ok', []]);
        assert.ok(fetch!.timestamp >= from && fetch!.timestamp <= to, 'the fetch of this round');
        const first = missed.filter(({ place }) => place === one.place);
        const traces = first.map(({ traceId }) => traceId);
        assert.ok(traces.includes(String(fetch!['trace_id'])), 'the trace of its first request');
      }
      checked += fetching.length;
      const sent = JSON.stringify(stack.upstream.calls);
      assert.ok(!sent.includes('traceparent'));
      for (const { traceId } of requests) assert.ok(!sent.includes(traceId));
      await sleep(1100);
    }
    assert.ok(checked >= 24, `only ${checked} requests needed a fetch`);
    const fetches = stack.workers.flatMap((worker) => worker.of('fetch'));
    assert.ok(fetches.some((fetch) => fetch['trace_id'] !== undefined));
  });

  it('leads to the failures of the providers, in whichever process they are', async () => {
    const stack = stackOf();
    stack.upstream.behaveAll({ kind: 'status', status: 500, delayMs: 200 });
    const requests = await Promise.all([101, 101, 101].map((place) => request(stack, place)));
    const records = await recordsOf(stack, requests);
    for (const one of requests) {
      assert.equal(one.reply.status, 503);
      const [record, cause] = causeOf(records, one);
      assert.equal((record['err'] as { message: string }).message, ALL_FAILED);
      assert.ok(!one.reply.text.includes('open-meteo'), one.reply.text);
      assert.deepEqual(
        cause.map(({ event, provider }) => [event, provider]),
        [
          ['upstream_failed', 'open-meteo'],
          ['upstream_failed', 'met-norway'],
          ['fetch', undefined],
        ],
      );
      const traces = [...new Set(cause.map((other) => other['trace_id']))];
      assert.equal(traces.length, 1);
      assert.ok(requests.some(({ traceId }) => traces.includes(traceId)));
    }
  });

  it('of a HIT leads to the fetch of the entry, and that of a STALE to the fetch that failed', async () => {
    const stack = stackOf();
    const fresh = [await request(stack, 201)];
    // On a busy machine, the entry may have expired before the next request.
    await eventually(async () => {
      fresh.push(await request(stack, 201));
      return cacheOf(fresh.at(-1)!) === 'HIT';
    }, 'a hit');
    stack.upstream.behaveAll({ kind: 'status', status: 500 });
    await sleep(1100);
    const stale = await request(stack, 201);
    assert.equal(cacheOf(stale), 'STALE');
    const records = await recordsOf(stack, [...fresh, stale]);
    assert.equal(causeOf(records, stale)[1].at(-1)?.['outcome'], 'failed');
    const [miss, hit] = fresh.slice(-2).map((one) => causeOf(records, one)[1]);
    assert.deepEqual(hit, miss);
    assert.equal(hit?.[0]?.['outcome'], 'ok');
  });
});
