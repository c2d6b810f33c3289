import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import type { Redis } from 'ioredis';
import { createCircuitBreaker } from '../../../src/base/circuit-breaker.js';
import type { RedisClient } from '../../../src/redis/client/connection.js';
import type { createHealthReporter } from '../../../src/redis/client/health-reporter.js';
import { watchHealth } from '../../../src/redis/client/health.js';
import type { RedisFault } from '../../../src/redis/client/redis-errors.js';
import {
  HEALTH_MS,
  REPLY_MS,
  RETRY_MS,
  SILENT_CONNECTION_MS,
} from '../../../src/redis/client/timing.js';
import { nextIteration } from '../../support/eventually.js';
import { systemClock } from '../../support/manual-clock.js';

type Reply = (token: string) => Promise<unknown>;

const healthy: Reply = (token) => Promise.resolve([token, '']);
const refusing =
  (message: string): Reply =>
  (token) =>
    Promise.resolve([token, message]);
const hung: Reply = () => new Promise(() => undefined);

/** Two masters whose replies come from the test, and time that it advances. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  t.mock.method(performance, 'now', () => 0);
  const replies: [Reply, Reply] = [healthy, healthy];
  const resets = [0, 0];
  const connections = [0, 1].map(
    (n) =>
      ({
        stream: { resetAndDestroy: () => (resets[n]! += 1) },
        eval: (...args: unknown[]) => replies[n as 0 | 1](String(args.at(-1))),
      }) as unknown as Redis,
  );
  const isConnected = [true, true];
  /** Throws, if the test sets an error. */
  const listing = { error: undefined as Error | undefined };
  const breaker = createCircuitBreaker({
    policy: { failuresToOpen: 1, firstOpenMs: Infinity, maxOpenMs: Infinity },
    ...{ clock: systemClock, openedBy: 'not connected' },
  });
  const reported: { fault: RedisFault | undefined; isDown: boolean }[] = [];
  const errors: unknown[] = [];
  const health = watchHealth({
    client: Object.assign(new EventEmitter(), { status: 'ready' }) as unknown as RedisClient,
    masters: {
      list: () => {
        if (listing.error) throw listing.error;
        return connections.map((redis, n) => ({
          ...{
            redis: isConnected[n] ? redis : undefined,
            address: `10.0.0.${n}:6379`,
            keys: ['k'],
          },
        }));
      },
      groupOf: () => '',
    },
    breaker,
    reporter: {
      update: (state) => void reported.push(state),
      error: (error) => void errors.push(error),
      lost: () => undefined,
      isDown: false,
    } satisfies ReturnType<typeof createHealthReporter>,
  });
  t.after(health.stop);
  return {
    ...{ health, breaker, replies, resets, errors, isConnected, listing },
    last: () => reported.at(-1),
    pass: async (ms: number) => {
      t.mock.timers.tick(ms);
      await nextIteration();
      await nextIteration();
    },
  };
}

describe('the health of Redis', () => {
  it('is unknown until every master has replied to a check', async (t) => {
    const { health, breaker, pass, last } = setUp(t);
    assert.deepEqual([health.state().wasReached, breaker.isClosed], [false, false]);
    await pass(RETRY_MS);
    assert.deepEqual(
      [health.state().wasReached, breaker.isClosed, health.isWritable()],
      [true, true, true],
    );
    assert.deepEqual(last(), { fault: undefined, isDown: false });
  });

  it('is bad while one master does not reply, and its connection is reset after a second', async (t) => {
    const { health, breaker, replies, resets, pass, last } = setUp(t);
    await pass(RETRY_MS);
    replies[1] = hung;
    await pass(HEALTH_MS);
    await pass(REPLY_MS - 1);
    assert.equal(breaker.isClosed, true);
    await pass(1);
    assert.deepEqual([breaker.isClosed, health.isWritable()], [false, false]);
    assert.equal(last()?.fault?.reason, 'no_reply');
    await pass(SILENT_CONNECTION_MS - REPLY_MS - 1);
    assert.deepEqual(resets, [0, 0]);
    await pass(1);
    assert.deepEqual(resets, [0, 1]);
  });

  it('is read-only while one master rejects writes', async (t) => {
    const { health, breaker, replies, errors, pass, last } = setUp(t);
    const message = 'MISCONF Redis is configured to save RDB snapshots';
    replies[0] = refusing(message);
    await pass(RETRY_MS);
    assert.deepEqual([breaker.isClosed, health.isWritable()], [true, false]);
    assert.deepEqual(last(), { fault: { reason: 'refused', message }, isDown: false });
    assert.deepEqual(errors.map(String), [`ReplyError: ${message}`]);
    replies[0] = healthy;
    await pass(RETRY_MS);
    assert.equal(health.isWritable(), true);
  });

  it('is checked again after a check that failed before any command', async (t) => {
    const { health, breaker, listing, pass } = setUp(t);
    await pass(RETRY_MS);
    listing.error = new Error('no slots');
    await pass(HEALTH_MS);
    assert.equal(breaker.isClosed, false);
    listing.error = undefined;
    await pass(RETRY_MS);
    assert.deepEqual([breaker.isClosed, health.isWritable()], [true, true]);
  });

  it('names the address of a master without a connection', async (t) => {
    const { isConnected, pass, last } = setUp(t);
    isConnected[1] = false;
    await pass(RETRY_MS);
    assert.equal(last()?.fault?.reason, 'no_connection');
    assert.match(String(last()?.fault?.message), /10\.0\.0\.1:6379/);
  });

  for (const [what, wrong] of [
    ['to another command', ['another token', '']],
    ['that is too short', ['1']],
    ['that is no list', 'PONG'],
    ['that is null', null],
  ] as const) {
    it(`is bad after a reply ${what}, which resets the connection`, async (t) => {
      const { breaker, replies, resets, pass } = setUp(t);
      replies[0] = () => Promise.resolve(wrong);
      await pass(RETRY_MS);
      assert.deepEqual([resets, breaker.isClosed], [[1, 0], false]);
    });
  }
});
