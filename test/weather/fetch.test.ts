import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { UpstreamError } from '../../src/weather/errors.js';
import { createFetcher, register } from '../../src/weather/fetch.js';
import type { Kind } from '../../src/weather/kinds/kind.js';
import type { Scope } from '../../src/weather/request-scope.js';
import type { UpstreamCall, UpstreamValue } from '../../src/weather/types.js';
import { manualClock } from '../support/manual-clock.js';
import { recordingLog } from '../support/records.js';
import { scope } from '../support/scope.js';

const TIDE: Kind<string, number> = {
  name: 'tide',
  keyOf: (port) => port,
  isRequest: (input): input is string => typeof input === 'string',
  readValue: (input) => (typeof input === 'number' ? input : undefined),
};
const IDENTITY = { fetchId: 'one', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' };
const REFERENCE_TIME = 1_795_000_000_000;
/** The scope of a caller. */
const caller = (given: Partial<Scope> = {}) => scope({ trace: { ...IDENTITY }, ...given });

function setUp(
  fetch: (port: string, call: UpstreamCall) => Promise<number>,
  more: Partial<UpstreamValue<number>> = {},
) {
  const clock = manualClock();
  const { log, records } = recordingLog();
  const tide = register({
    kind: TIDE,
    fetch: async (port, call) => ({
      ...{ value: await fetch(port, call), provider: 'p', ...more },
      referenceTime: REFERENCE_TIME,
    }),
    ttlOf(height, referenceTime) {
      assert.equal(referenceTime, REFERENCE_TIME);
      return { freshMs: height, staleMs: 5 };
    },
  });
  const created = createFetcher({ registrations: [tide], timeoutMs: 1000, clock, log });
  return { ...created, tide, clock, log, records };
}

describe('the fetcher', () => {
  it('returns an entry with the TTL of its value, and writes one record', async () => {
    const calls: UpstreamCall[] = [];
    const { fetcher, clock, records } = setUp((_port, call) => {
      calls.push(call);
      return Promise.resolve(100);
    });
    const entry = await fetcher(TIDE, 'oslo', caller());
    const now = clock.monotonic();
    assert.deepEqual(entry, {
      ...{
        value: 100,
        provider: 'p',
        fetchId: 'one',
        fetchedAt: now,
        referenceTime: REFERENCE_TIME,
      },
      ...{ freshUntil: now + 100, staleUntil: now + 105, noFetchUntil: undefined },
    });
    const logFields = { key: 'tide:oslo', fetch_id: 'one', trace_id: IDENTITY.traceId };
    assert.deepEqual(calls[0]?.logFields, logFields);
    const [record, ...others] = records;
    assert.deepEqual(others, []);
    const { key, fetch_id, trace_id, event, outcome } = record ?? {};
    assert.deepEqual({ key, fetch_id, trace_id }, logFields);
    assert.deepEqual([event, outcome], ['fetch', 'ok']);
  });

  it('returns an entry that is fresh until the later of its TTL and the time of the provider', async () => {
    for (const [freshForMs, freshMs] of [
      [0, 100],
      [99, 100],
      [101, 101],
    ] as const) {
      const { fetcher } = setUp(() => Promise.resolve(100), { freshForMs });
      const entry = await fetcher(TIDE, 'oslo', caller());
      assert.equal(entry.freshUntil - entry.fetchedAt, freshMs);
      assert.equal(entry.staleUntil - entry.freshUntil, 5);
      assert.equal(entry.noFetchUntil, entry.fetchedAt + freshForMs);
    }
  });

  it('returns an entry whose age counts from the moment at which its call was sent', async () => {
    const { fetcher, clock } = setUp((_port, { sent }) => {
      for (const waitMs of [200, 300]) {
        clock.advance(waitMs);
        sent?.();
      }
      clock.advance(4000);
      return Promise.resolve(100);
    });
    const began = clock.monotonic();
    const { fetchedAt, freshUntil } = await fetcher(TIDE, 'oslo', caller());
    assert.deepEqual([fetchedAt - began, freshUntil - fetchedAt], [500, 100]);
  });

  it('returns an entry whose age counts from the call of another fetch that supplied its value', async () => {
    const { fetcher } = setUp(() => Promise.resolve(100), { sentAt: 7 });
    const { fetchedAt, freshUntil } = await fetcher(TIDE, 'oslo', caller());
    assert.deepEqual([fetchedAt, freshUntil], [7, 107]);
  });

  it('joins a fetch of the same key that is in flight, and fetches again after its end', async () => {
    let calls = 0;
    const { fetcher } = setUp(() => Promise.resolve((calls += 1)));
    const valuesOfTwo = async () => {
      const entries = [1, 2].map(() => fetcher(TIDE, 'oslo', caller()));
      return (await Promise.all(entries)).map(({ value }) => value);
    };
    assert.deepEqual(await valuesOfTwo(), [1, 1]);
    assert.deepEqual(await valuesOfTwo(), [2, 2]);
  });

  it('records an aborted fetch without a warning', async () => {
    const { fetcher, records } = setUp(async (_port, { signal }) => {
      await once(signal, 'abort');
      throw signal.reason;
    });
    const controller = new AbortController();
    const fetched = fetcher(TIDE, 'oslo', caller({ signal: controller.signal }));
    controller.abort(new Error('gone'));
    await assert.rejects(fetched, { message: 'gone' });
    assert.deepEqual(
      records.map(({ level, outcome }) => [level, outcome]),
      [[pino.levels.values['info'], 'aborted']],
    );
  });

  it('reports the failure of an upstream as an unavailable service', async () => {
    for (const [retryAfterMs, retryAfterSeconds] of [
      [undefined, 5],
      [1, 1],
      [7000, 7],
      [7001, 8],
    ]) {
      const { fetcher } = setUp(() => {
        throw new UpstreamError('p', 'unavailable', 'down', { retryAfterMs });
      });
      const failure = { name: 'ServiceUnavailableError', retryAfterSeconds };
      await assert.rejects(fetcher(TIDE, 'oslo', caller()), failure);
    }
  });
});
