import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { ServiceUnavailableError } from '../../../src/errors.js';
import { systemClock as clock } from '../../../src/process/clock.js';
import { createFetchRecords, type Mode } from '../../../src/redis/fetching/record.js';
import { createRunFetch } from '../../../src/redis/fetching/run.js';
import { cachedNow } from '../../../src/weather/cache.js';
import { requestKey, weatherRequest } from '../../../src/weather/request.js';
import { plainRedisStore } from '../../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../../support/redis-server.js';

const request = weatherRequest({ latitude: 48.1, longitude: 11.5 });
const key = requestKey(request);
const ENTRY = `weather:cache:{${key}}`;
const RECORD = `weather:fetch:{${key}}`;
const FAILURE = `weather:failure:{${key}}`;
const LIFE = { freshMs: 60_000, staleMs: 0 };
const WEATHER = { temperature: 1, condition: 'Fog', humidity: 90, wind_speed: 3 };
const never = new AbortController().signal;

describe('the record of a fetch', () => {
  let server: RedisServer;
  let redis: Redis;
  let processes = 0;
  beforeEach(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  afterEach(async () => {
    redis.disconnect();
    await server.stop();
  });

  /** Asks and fetches like a process of its own. */
  function aProcess(work: () => Promise<void> = () => sleep(50), life = LIFE) {
    const processId = `process-${(processes += 1)}`;
    const records = createFetchRecords(plainRedisStore(redis), { clock, processId });
    let fetches = 0;
    const runFetch = createRunFetch({
      records,
      by: 'replica',
      async fetcher(_request, identity) {
        fetches += 1;
        await work();
        return cachedNow(
          { kind: 'weather', weather: WEATHER, provider: 'x' },
          life,
          clock.monotonic(),
          identity.fetchId,
        );
      },
    });
    const given = {
      fetchId: `fetch-of-${processId}`,
      token: `run-of-${processId}`,
      traceId: undefined,
    };
    const ask = (mode: Mode, freshForMs = 0) => records.ask(key, { mode, ...given, freshForMs });
    return {
      processId,
      fetchId: given.fetchId,
      ask,
      /** Runs the fetch when it is this process's to run. */
      async run(mode: Mode = 'run', freshForMs = 0, signal = never) {
        const { state, fetchId } = await ask(mode, freshForMs);
        if (state !== 'run') return state;
        return runFetch(request, { ...given, fetchId }, signal);
      },
      fetches: () => fetches,
    };
  }

  it('lets one of many that ask at the same moment run the fetch', async () => {
    const all = Array.from({ length: 10 }, () => aProcess());
    const results = await Promise.all(all.map((one) => one.run()));
    assert.equal(results.filter((result) => result === 'running').length, 9);
    assert.equal(
      all.reduce((sum, { fetches }) => sum + fetches(), 0),
      1,
    );
  });

  it('needs no fetch while the entry is fresh, but for a refresh', async () => {
    const [first, second] = [aProcess(), aProcess()];
    await first.run();
    const found = await second.ask('run');
    assert.deepEqual([found.state, found.entry?.asker], ['entry', first.processId]);
    assert.equal(found.entry?.cached.fetchId, first.fetchId);
    assert.equal((await second.ask('run', LIFE.freshMs)).state, 'run');
  });

  it('is queued by the first that asks, joined by the next, taken once', async () => {
    const [first, second, worker, other] = [aProcess(), aProcess(), aProcess(), aProcess()];
    assert.equal((await first.ask('queue')).state, 'new');
    const joined = await second.ask('queue');
    assert.deepEqual([joined.state, joined.fetchId], ['queued', first.fetchId]);
    const taken = await worker.ask('take');
    assert.deepEqual([taken.state, taken.fetchId], ['run', first.fetchId]);
    assert.equal((await other.ask('take')).state, 'running');
    assert.equal((await second.ask('wait')).state, 'running');
  });

  it('is not started when nobody waits for it any more', async () => {
    assert.equal((await aProcess().ask('take')).state, 'none');
    assert.equal(await redis.exists(RECORD), 0);
  });

  it('passes the answer for the fetch on when the first that asked is silent', async () => {
    const [first, second, worker] = [aProcess(), aProcess(), aProcess()];
    await first.ask('queue');
    await second.ask('queue');
    // As old as a record is whose asker died a while ago.
    await redis.hset(RECORD, 'seen', Date.now() - 60_000);
    await second.ask('wait');
    const result = await worker.run('take');
    assert.ok(typeof result === 'object');
    assert.equal(result.asker, second.processId);
  });

  it('ends at once after a failure too, and keeps the failure for those who missed it', async () => {
    const failing = aProcess(() =>
      Promise.reject(new ServiceUnavailableError('no provider', { retryAfterMs: 7000 })),
    );
    await assert.rejects(failing.run(), /no provider/);
    const { state, failure } = await aProcess().ask('wait');
    assert.equal(state, 'none');
    assert.deepEqual(failure, {
      message: 'no provider',
      retryAfterMs: 7000,
      fetchId: failing.fetchId,
    });
    assert.equal((await aProcess().ask('run')).state, 'run');
  });

  it('is free for others when its run is given up', async () => {
    const ending = new AbortController();
    const dying = aProcess(() => {
      ending.abort(new Error('The process ends'));
      return Promise.reject(ending.signal.reason as Error);
    });
    await assert.rejects(dying.run('run', 0, ending.signal), /The process ends/);
    assert.equal(await redis.exists(RECORD, FAILURE), 0);
    assert.equal((await aProcess().ask('run')).state, 'run');
  });

  for (const [what, work] of [
    ['an entry', () => Promise.resolve()],
    ['a failure', () => Promise.reject(new ServiceUnavailableError('late'))],
  ] as const) {
    it(`takes no ${what} from a run that has lost the record`, async () => {
      const late = aProcess(async () => {
        // What a long freeze does: the record expired, and another process runs the fetch.
        await redis.hset(RECORD, 'token', 'another');
        await work();
      });
      await late.run().catch(() => undefined);
      assert.equal(await redis.exists(ENTRY, FAILURE), 0);
      assert.equal((await aProcess().ask('wait')).state, 'running');
    });
  }

  it('keeps no entry without a life, and tells it all the same', async () => {
    const told: string[] = [];
    const listener = redis.duplicate();
    await listener.subscribe('weather:fetched');
    listener.on('message', (_channel, text: string) => told.push(text));
    await aProcess(undefined, { freshMs: 0, staleMs: 0 }).run();
    assert.equal(await redis.exists(ENTRY, RECORD), 0);
    while (told.length === 0) await sleep(5);
    assert.match(told[0]!, /"temperature":1/);
    listener.disconnect();
  });

  for (const garbage of ['garbage', '0 x {"value":1}', '{}', '5 a {', '']) {
    it(`treats the entry ${JSON.stringify(garbage)} as missing`, async () => {
      await redis.set(ENTRY, garbage, 'EX', 60);
      await redis.set(FAILURE, garbage);
      assert.equal((await aProcess().ask('wait')).failure, undefined);
      const asking = aProcess();
      await asking.run();
      assert.equal(asking.fetches(), 1);
      assert.equal((await aProcess().ask('look')).state, 'entry');
    });
  }

  it('treats a record of another type as missing', async () => {
    await redis.set(RECORD, 'garbage');
    await redis.lpush(FAILURE, 'garbage');
    const asking = aProcess();
    await asking.run();
    assert.equal(asking.fetches(), 1);
  });

  it('expires by itself in every state', async () => {
    const [first, second] = [aProcess(), aProcess()];
    await first.ask('queue');
    assert.ok((await redis.pttl(RECORD)) > 0);
    await second.ask('take');
    const life = await redis.pttl(RECORD);
    assert.ok(life > 0 && life <= 3000, `${life} ms`);
  });
});
