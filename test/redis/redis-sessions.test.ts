import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../../src/base/errors.js';
import type { GuardedRedis } from '../../src/redis/client/guarded-redis.js';
import { createRedisSessions } from '../../src/redis/redis-sessions.js';
import { createResponseTimes } from '../../src/weather/recent-searches.js';
import { block } from '../support/block.js';
import { guardedRedis } from '../support/guarded-redis.js';
import { systemClock } from '../support/manual-clock.js';
import { names } from '../support/names.js';
import { plainRedis } from '../support/plain-redis.js';
import { startRedis } from '../support/redis-server.js';
import { useRedis } from '../support/use-redis.js';

const TTLS = { ttlSeconds: 300, unconfirmedTtlSeconds: 100 };
const SESSION = { id: 'session', confirmed: true };

let lastResponseUs = 0;
const search = (city: string) => ({
  ...{ placeKey: `key-${city}`, city, country: 'Norway', respondedAtUs: (lastResponseUs += 1) },
});

const redis = useRedis();
const open = (guarded: GuardedRedis) =>
  createRedisSessions({ redis: guarded, names, ttls: TTLS, clock: systemClock });

/** The searches of a session in Redis, as a replica that has no fault lists them. */
async function citiesOf(id: string): Promise<string[]> {
  const searches = await open(plainRedis(redis.client)).searches(id);
  return searches.map(({ city }) => city);
}

const MAX_ATTEMPTS = 50;

/** Sessions in a Redis whose scripts the test makes fail. */
function failingSessions() {
  const guarded = plainRedis(redis.client);
  const state = {
    attempts: 0,
    lost: 0,
    cause: undefined as Error | undefined,
    /** The cause from the next success on. */
    causeAfterSuccess: undefined as Error | undefined,
  };
  const failing: GuardedRedis = {
    ...guarded,
    lost: (_kind, count) => (state.lost += count ?? 1),
    script(name, lua, isReply) {
      const script = guarded.script(name, lua, isReply);
      return async (keys, args, waitMs) => {
        for (let attempt = 1; ; attempt += 1) {
          state.attempts += 1;
          const { cause } = state;
          if (!cause) {
            state.cause = state.causeAfterSuccess;
            return script(keys, args, waitMs);
          }
          // The guarded client attempts a patient command again.
          if (waitMs === undefined || attempt === MAX_ATTEMPTS) {
            throw new StoreUnavailableError('Redis failed', { cause });
          }
          await sleep(100);
        }
      };
    },
  };
  return { state, sessions: open(failing) };
}

describe('a recording that Redis does not reply to', () => {
  for (const message of ['no reply', 'READONLY', 'OOM', 'LOADING', 'NOSCRIPT', 'TRYAGAIN']) {
    it(`is retried in the background: ${message}`, async () => {
      await redis.client.flushall();
      const { state, sessions } = failingSessions();
      state.cause = new Error(message);
      const [oslo, bergen] = [search('Oslo'), search('Bergen')];
      await sessions.record(SESSION, oslo);
      assert.deepEqual(await citiesOf('session'), []);
      state.cause = undefined;
      await sessions.record(SESSION, bergen);
      await sessions.drain(10_000);
      // Their order depends on the time that each recording takes to arrive.
      assert.deepEqual((await citiesOf('session')).sort(), ['Bergen', 'Oslo']);
    });
  }

  it('is not lost if it was stored, and sending it once more fails', async () => {
    await redis.client.flushall();
    const { state, sessions } = failingSessions();
    state.cause = new Error('no reply');
    await sessions.record(SESSION, search('Oslo'));
    state.causeAfterSuccess = state.cause;
    state.cause = undefined;
    await sessions.drain(20_000);
    assert.equal(state.cause, state.causeAfterSuccess);
    assert.deepEqual([state.lost, await citiesOf('session')], [0, ['Oslo']]);
  });

  it('is dropped if 20,000 others are retried', async () => {
    const { state, sessions } = failingSessions();
    const record = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          sessions.record({ id: `${n}`, confirmed: true }, search('Oslo')),
        ),
      );
    state.cause = new Error('no reply');
    await record(20_000);
    assert.equal(state.lost, 0);
    await record(1);
    assert.equal(state.lost, 1);
    state.cause = undefined;
    await sessions.drain(60_000);
    state.cause = new Error('no reply');
    await record(1);
    assert.equal(state.lost, 1);
    state.cause = undefined;
    await sessions.drain(10_000);
  });

  it('is dropped if Redis would reject it again', async () => {
    for (const message of ['ERR user_script:1: fault', 'NOPERM no permissions']) {
      const { state, sessions } = failingSessions();
      state.cause = new Error(message);
      await sessions.record(SESSION, search('Oslo'));
      await sessions.drain(10_000);
      assert.equal(state.attempts, 1, message);
    }
  });
});

describe('a recording after the clock of Redis has stepped back', () => {
  /** A line of a search that was recorded this many milliseconds after now in Redis. */
  async function lineAt(aheadMs: number, city: string): Promise<string> {
    const [seconds] = await redis.client.time();
    const instant = String((Number(seconds) * 1000 + aheadMs) * 1000).padStart(16, '0');
    return `${instant}\tkey-${city}\t${JSON.stringify([city, 'Norway'])}\n`;
  }

  it('comes first, and the searches of the future keep their order behind it', async () => {
    for (const aheadMs of [5, 3_600_000, 90 * 86_400_000]) {
      const lines = [
        await lineAt(aheadMs + 5000, 'Oslo'),
        await lineAt(aheadMs, 'Bergen'),
        await lineAt(-60_000, 'Tromsø'),
      ];
      await redis.client.set(names.session('session'), lines.join(''));
      const sessions = open(plainRedis(redis.client));
      await sessions.record(SESSION, search('Bodø'));
      assert.deepEqual(await citiesOf('session'), ['Bodø', 'Oslo', 'Bergen', 'Tromsø']);
      await sessions.record(SESSION, search('Bergen'));
      await sessions.record(SESSION, search('Hamar'));
      assert.deepEqual(await citiesOf('session'), ['Hamar', 'Bergen', 'Bodø', 'Oslo', 'Tromsø']);
    }
  });

  it('repairs a damaged instant, also the greatest', async () => {
    const greatest = `${'9'.repeat(16)}\tkey-Oslo\t["Oslo","Norway"]\n`;
    await redis.client.set(names.session('session'), `${greatest}${await lineAt(-1000, 'Bergen')}`);
    await open(plainRedis(redis.client)).record(SESSION, search('Bodø'));
    assert.deepEqual(await citiesOf('session'), ['Bodø', 'Oslo', 'Bergen']);
    const value = await redis.client.get(names.session('session'));
    assert.match(value ?? '', /^(?:\d{16}\t[^\n]*\n){3}$/);
  });
});

describe('a recording', () => {
  it('has its age also if Redis hung, and ran an earlier attempt late', async () => {
    await redis.client.flushall();
    const guarded = plainRedis(redis.client);
    // The first attempt waits in the hung Redis. The guarded client retries after the outage.
    const recovery = new EventEmitter();
    const recovered = once(recovery, 'recovered');
    const ends: Promise<unknown>[] = [];
    const hanging: GuardedRedis = {
      ...guarded,
      script(name, lua, isReply) {
        const script = guarded.script(name, lua, isReply);
        return async (keys, args, waitMs) => {
          if (waitMs !== undefined) {
            await Promise.all([recovered, ...ends]);
            return script(keys, args, waitMs);
          }
          const sent = typeof args === 'function' ? args() : args;
          ends.push(recovered.then(() => script(keys, sent)));
          throw new StoreUnavailableError('no reply');
        };
      },
    };
    const sessions = open(hanging);
    for (const city of ['Oslo', 'Bergen', 'Oslo', 'Bodo']) {
      await sessions.record(SESSION, search(city));
      await sleep(50);
    }
    await open(guarded).record(SESSION, search('Voss'));
    recovery.emit('recovered');
    await sessions.drain(10_000);
    assert.deepEqual(await citiesOf('session'), ['Voss', 'Bodo', 'Oslo', 'Bergen']);
  });

  it('keeps its order if it waits in a Redis that hangs for less than a second', async (t) => {
    const server = await startRedis();
    t.after(() => server.stop());
    const sessions = open(await guardedRedis(t, server.url));
    const responseUs = createResponseTimes(() => systemClock.monotonic());
    const record = (id: string, city: string) =>
      sessions.record({ id, confirmed: true }, { ...search(city), respondedAtUs: responseUs() });

    await server.kill('SIGSTOP');
    // Opens the circuit breaker. From now on, a recording is retried at once, and waits in Redis.
    await record('another', 'Oslo');
    await record('session', 'Bergen');
    await sleep(20);
    // The last item of a batch has no age, and the first one has that of its wait in the batch.
    const bodo = record('session', 'Bodo');
    block(5);
    await Promise.all([bodo, record('another', 'Hamar')]);
    await server.kill('SIGCONT');
    await sessions.drain(10_000);
    const cities = (await sessions.searches('session')).map(({ city }) => city);
    assert.deepEqual(cities, ['Bodo', 'Bergen']);
  });

  it('ends when Redis has it, so a list at another replica contains it', async () => {
    await redis.client.flushall();
    const guarded = plainRedis(redis.client);
    const late: GuardedRedis = {
      ...guarded,
      script(name, lua, isReply) {
        const script = guarded.script(name, lua, isReply);
        return async (...call) => {
          await sleep(30);
          return script(...call);
        };
      },
    };
    await open(late).record(SESSION, search('Oslo'));
    assert.deepEqual(await citiesOf('session'), ['Oslo']);
  });
});

it('the searches of a session are listed while Redis has too few replicas to write', async (t) => {
  await redis.client.flushall();
  // A list would confirm the session.
  await open(plainRedis(redis.client)).record({ ...SESSION, confirmed: false }, search('Oslo'));
  t.after(() => redis.client.config('SET', 'min-replicas-to-write', '0'));
  await redis.client.config('SET', 'min-replicas-to-write', '1');
  assert.deepEqual(await citiesOf('session'), ['Oslo']);
});
