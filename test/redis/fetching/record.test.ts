import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { ServiceUnavailableError } from '../../../src/errors.js';
import { systemClock as clock } from '../../../src/process/clock.js';
import { createFetchRecords, PICK_UP_MS } from '../../../src/redis/fetching/record.js';
import { createRuns } from '../../../src/redis/fetching/run.js';
import { cachedNow } from '../../../src/weather/cache.js';
import { requestKey, weatherRequest } from '../../../src/weather/request.js';
import { names } from '../../support/names.js';
import { plainRedisStore } from '../../support/plain-redis-store.js';
import { useRedis } from '../../support/use-redis.js';

const request = weatherRequest({ latitude: 48.1, longitude: 11.5 });
const key = requestKey(request);
const ENTRY = names.entry(key);
const RECORD = names.fetch(key);
const LIFE = { freshMs: 60_000, staleMs: 0 };
const WEATHER = { temperature: 1, condition: 'Fog', humidity: 90, wind_speed: 3 };
/** As a replica asks with a worker and without one, as it waits, and as a worker takes a job. */
type Mode = 'queue' | 'run' | 'wait' | 'take';

const never = new AbortController().signal;

describe('the record of a fetch', () => {
  const server = useRedis();
  let redis: Redis;
  let processes = 0;
  beforeEach(async () => {
    redis = server.client;
    // A test before may have made it read-only.
    await redis.replicaof('NO', 'ONE');
    await redis.flushall();
  });

  /** Asks and fetches like a process of its own. */
  function aProcess(work: () => Promise<void> = () => sleep(50), life = LIFE) {
    const records = createFetchRecords(plainRedisStore(redis), { clock, names });
    let fetches = 0;
    const runs = createRuns({
      records,
      by: 'replica',
      clock,
      fetcher: async (_request, identity) => {
        fetches += 1;
        await work();
        const value = { kind: 'weather', weather: WEATHER, provider: 'x' } as const;
        return cachedNow(value, life, clock.monotonic(), identity.fetchId);
      },
    });
    const fetchId = `fetch-of-process-${(processes += 1)}`;
    const ask = (mode: Mode, freshForMs = 0) =>
      records.ask(key, {
        newId: mode === 'queue' || mode === 'run' ? fetchId : undefined,
        runAfterMs: mode === 'run' || mode === 'take' ? 0 : PICK_UP_MS,
        freshForMs,
      });
    return {
      fetchId,
      ask,
      /** Runs the fetch when it is this process's to run. */
      async run(mode: Mode = 'run', freshForMs = 0, signal = never) {
        const found = await ask(mode, freshForMs);
        if (found.state !== 'run') return found.state;
        const identity = { fetchId: found.fetchId, parent: undefined };
        return runs.run(request, identity, signal, { storeMs: 250 }).finally(runs.settled);
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
    assert.deepEqual([found.state, found.entry?.fetchId], ['entry', first.fetchId]);
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

  it('is given to whoever asks when it was queued long ago and nobody took it', async () => {
    const [first, second, third] = [aProcess(), aProcess(), aProcess()];
    await first.ask('queue');
    assert.equal((await second.ask('queue')).state, 'queued');
    // By Redis's clock, however long the one who asks has waited.
    await redis.hset(RECORD, 'queued', Date.now() - PICK_UP_MS);
    const found = await third.ask('queue');
    assert.deepEqual([found.state, found.fetchId], ['run', first.fetchId]);
  });

  it('is given to others also when the clock of Redis was set back', async () => {
    await aProcess().ask('queue');
    await redis.hset(RECORD, 'queued', Date.now() + 3_600_000);
    assert.equal((await aProcess().ask('wait')).state, 'run');
  });

  it('ends at once after a failure too, and keeps the failure for those who missed it', async () => {
    const failing = aProcess(() =>
      Promise.reject(new ServiceUnavailableError('no provider', { retryAfterMs: 7000 })),
    );
    await assert.rejects(failing.run(), /no provider/);
    const { state, fetchId, failure } = await aProcess().ask('wait');
    assert.deepEqual([state, fetchId], ['failed', failing.fetchId]);
    assert.deepEqual(failure, { message: 'no provider', retryAfterMs: 7000 });
    assert.ok((await redis.pttl(RECORD)) > 0);
    assert.equal((await aProcess().ask('run')).state, 'run');
  });

  it('is not begun again within two seconds of a failure where something stale can answer', async () => {
    await aProcess(undefined, { freshMs: 1, staleMs: 60_000 }).run();
    await sleep(5);
    await assert.rejects(aProcess(() => Promise.reject(new ServiceUnavailableError('x'))).run());
    const found = await aProcess().ask('queue');
    assert.deepEqual([found.state, found.entry?.value.kind], ['failed', 'weather']);
    assert.ok((await redis.pttl(RECORD)) <= 2000);
    await redis.del(RECORD);
    assert.equal((await aProcess().ask('queue')).state, 'new');
  });

  it('is free for others when its run is given up', async () => {
    const ending = new AbortController();
    const dying = aProcess(() => {
      ending.abort(new Error('The process ends'));
      return Promise.reject(ending.signal.reason as Error);
    });
    await assert.rejects(dying.run('run', 0, ending.signal), /The process ends/);
    assert.equal(await redis.exists(RECORD), 0);
    assert.equal((await aProcess().ask('run')).state, 'run');
  });

  for (const [what, work] of [
    ['an entry', () => Promise.resolve()],
    ['a failure', () => Promise.reject(new ServiceUnavailableError('late'))],
  ] as const) {
    it(`takes no ${what} from a run that has lost the record`, async () => {
      const late = aProcess(async () => {
        // What a long freeze does: the record expired, and another process runs the fetch.
        await redis.hset(RECORD, 'id', 'another');
        await work();
      });
      await late.run().catch(() => undefined);
      assert.equal(await redis.exists(ENTRY), 0);
      assert.equal((await aProcess().ask('wait')).state, 'running');
    });
  }

  it('keeps no entry without a life, and tells it all the same', async () => {
    const told: string[] = [];
    const listener = redis.duplicate();
    await listener.subscribe(names.announcements);
    listener.on('message', (_channel, text: string) => told.push(text));
    await aProcess(undefined, { freshMs: 0, staleMs: 0 }).run();
    assert.equal(await redis.exists(ENTRY, RECORD), 0);
    while (told.length === 0) await sleep(5);
    assert.match(told[0]!, /"temperature":1/);
    listener.disconnect();
  });

  const text = (value: object) => JSON.stringify({ value, freshMs: 60_000, fetchId: 'f' });
  const weatherText = (garbage: object, provider = 'p') =>
    `0 ${text({ kind: 'weather', weather: { ...WEATHER, ...garbage }, provider })}`;
  for (const garbage of [
    'garbage',
    '0 {"value":1}',
    '{}',
    '5 {',
    '',
    `0 ${text({ kind: 'geocode', point: null, provider: 'p' })}`,
    weatherText({}, 'constructor'),
    weatherText({}, '__proto__'),
    weatherText({ temperature: 1e300 }),
    weatherText({ humidity: -1 }),
    weatherText({ condition: 'Raining frogs' }),
  ]) {
    it(`treats the entry ${JSON.stringify(garbage)} as missing`, async () => {
      await redis.set(ENTRY, garbage, 'EX', 60);
      const other = aProcess();
      await other.run();
      assert.equal(other.fetches(), 1);
      assert.equal((await aProcess().ask('wait')).state, 'entry');
    });
  }

  it('begins a fetch a moment after a failure when what looks stale is no entry', async () => {
    await assert.rejects(aProcess(() => Promise.reject(new ServiceUnavailableError('x'))).run());
    await redis.set(ENTRY, '60000 garbage', 'EX', 30);
    assert.equal((await aProcess().ask('run')).state, 'run');
  });

  it('begins a fetch a moment after what looks like a failure', async () => {
    await aProcess(undefined, { freshMs: 1, staleMs: 60_000 }).run();
    await sleep(5);
    await assert.rejects(aProcess(() => Promise.reject(new ServiceUnavailableError('x'))).run());
    await redis.hset(RECORD, 'failure', '{"message":7}');
    assert.equal((await aProcess().ask('run')).state, 'run');
  });

  it('treats a record of another type as missing', async () => {
    await redis.lpush(RECORD, 'garbage');
    const other = aProcess();
    await other.run();
    assert.equal(other.fetches(), 1);
  });

  it('treats a record without a life, or with too long a one, as missing', async () => {
    for (const lifeMs of [undefined, 3_600_000]) {
      await redis.hset(RECORD, { id: 'x', state: 'running', queued: Date.now() });
      if (lifeMs) await redis.pexpire(RECORD, lifeMs);
      assert.equal((await aProcess().ask('run')).state, 'run');
      const life = await redis.pttl(RECORD);
      assert.ok(life > 0 && life <= 3000, `${life} ms`);
    }
  });

  it('of another type leaves a run without its record, and is no error', async () => {
    const records = createFetchRecords(plainRedisStore(redis), { clock, names });
    const question = { newId: 'f', runAfterMs: 0, freshForMs: 0 };
    assert.equal((await records.ask('k', question)).state, 'run');
    assert.equal(await records.renew('k', 'f'), true);
    await redis.set(names.fetch('k'), 'garbage', 'KEEPTTL');
    assert.equal(await records.renew('k', 'f'), false);
    assert.equal(await records.end('k', { fetchId: 'f', by: 'replica' }), false);
  });

  it('leaves the caller alone where Redis takes no writes, and still gives what is stale', async () => {
    await aProcess(undefined, { freshMs: 1, staleMs: 60_000 }).run();
    await sleep(5);
    await redis.replicaof('127.0.0.1', '1');
    const found = await aProcess().ask('run');
    assert.deepEqual([found.state, found.entry?.value.kind], ['alone', 'weather']);
    assert.match(found.reason ?? '', /READONLY/);
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
