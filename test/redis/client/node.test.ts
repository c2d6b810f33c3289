import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LateReplyError } from '../../../src/errors.js';
import { createRedisNode, REPLY_MS } from '../../../src/redis/client/node.js';
import { nextIteration } from '../../support/eventually.js';
import { systemClock } from '../../support/manual-clock.js';

function errorReply(message: string): Error {
  return Object.assign(new Error(message), { name: 'ReplyError' });
}

type Reply = (token: string) => Promise<unknown>;

const healthy: Reply = (token) => Promise.resolve([token, '']);
const refusing =
  (message: string): Reply =>
  (token) =>
    Promise.resolve([token, message]);
const rejecting =
  (message: string): Reply =>
  () =>
    Promise.reject(errorReply(message));
const never = () => new Promise<never>(() => undefined);

/** A node whose replies come from the test. */
function setUp() {
  let reply = healthy;
  let resets = 0;
  const writes: string[] = [];
  const connection = {
    status: 'ready',
    stream: {
      cork: () => writes.push('begins'),
      uncork: () => writes.push('ends'),
      resetAndDestroy: () => (resets += 1),
    },
    eval: (_script: string, count: number, ...rest: string[]) => reply(rest[count] ?? ''),
  } as unknown as Redis;
  const errors: unknown[] = [];
  const node = createRedisNode(connection, {
    clock: systemClock,
    onError: (error) => errors.push(error),
    onEnd: () => undefined,
  });
  return {
    node,
    errors,
    writes,
    resets: () => resets,
    check: () => node.check(['key']),
    /** The replies to health checks from now on. */
    reply: (next: Reply) => {
      reply = next;
    },
    run: (error?: Error) =>
      node.run(() => (error ? Promise.reject(error) : Promise.resolve('value')), REPLY_MS),
  };
}

/** A node that has passed its first health check. */
async function setUpAvailable() {
  const all = setUp();
  await all.check();
  assert.equal(all.node.isAvailable, true);
  return all;
}

describe('the circuit breaker of a Redis node', () => {
  it('closes with the first health check', async () => {
    const { node, check, run } = setUp();
    assert.deepEqual([node.isAvailable, node.fault?.reason], [false, 'no_connection']);
    await check();
    assert.deepEqual([node.isAvailable, node.isWritable, node.fault], [true, true, undefined]);
    assert.equal(await run(), 'value');
  });

  it('opens with the first command without a reply, and closes with the next health check', async () => {
    const { node, check } = await setUpAvailable();
    await assert.rejects(node.run(never, REPLY_MS), LateReplyError);
    assert.deepEqual([node.isAvailable, node.fault?.reason], [false, 'no_reply']);
    await check();
    assert.deepEqual([node.isAvailable, node.fault], [true, undefined]);
  });

  it('opens with a health check without a reply, and stays open until one has a reply', async () => {
    const { node, check, reply } = await setUpAvailable();
    let answer!: () => void;
    reply(
      (token) =>
        new Promise(
          (resolve) =>
            (answer = () => {
              resolve([token, '']);
            }),
        ),
    );
    await check();
    assert.deepEqual([node.isAvailable, node.fault?.reason], [false, 'no_reply']);
    reply(() => assert.fail('only one health check may be in flight'));
    await check();
    answer();
    await sleep(1);
    assert.equal(node.isAvailable, false);
    reply(healthy);
    await check();
    assert.equal(node.isAvailable, true);
  });

  it('stays closed if a command is rejected', async () => {
    const { node, run, errors } = await setUpAvailable();
    const error = errorReply('ERR no such command');
    await assert.rejects(run(error), { name: 'StoreUnavailableError', cause: error });
    assert.deepEqual([errors, node.isAvailable], [[error], true]);
  });

  it('opens with the reason of Redis if the health check is rejected', async () => {
    const { node, check, reply, run } = await setUpAvailable();
    const message = 'LOADING Redis is loading the dataset in memory';
    reply(rejecting(message));
    await check();
    assert.deepEqual([node.isAvailable, node.fault], [false, { reason: 'loading', message }]);
    reply(healthy);
    await check();
    assert.equal(await run(), 'value');
  });
});

describe('a command that a connection has lost', () => {
  it('may have taken effect', async () => {
    const { run } = await setUpAvailable();
    await assert.rejects(run(new Error('Connection is closed.')), LateReplyError);
  });
});

it('the commands of one event loop iteration are sent in one write', async () => {
  const { run, writes } = await setUpAvailable();
  for (let iteration = 0; iteration < 2; iteration += 1) {
    await Promise.all([run(), run()]);
    await nextIteration();
  }
  assert.deepEqual(writes, ['begins', 'ends', 'begins', 'ends']);
});

describe('a node that refuses writes', () => {
  it('is available for reads, until a health check can write again', async () => {
    const { node, check, reply, run } = await setUpAvailable();
    reply(refusing('OOM command not allowed'));
    await check();
    assert.deepEqual([node.isAvailable, node.isWritable], [true, false]);
    assert.equal(node.fault?.reason, 'out_of_memory');
    assert.equal(await run(), 'value');
    reply(healthy);
    await check();
    assert.deepEqual([node.isWritable, node.fault], [true, undefined]);
  });

  it('reports that the access list forbids the write', async () => {
    const { check, reply, errors } = await setUpAvailable();
    reply(refusing('NOPERM No permissions to access a key'));
    await check();
    assert.deepEqual(errors.map(String), ['Error: NOPERM No permissions to access a key']);
  });
});

describe('the connection to a node', () => {
  it('is unavailable after 250 ms without a reply to a health check, and reset after a second', async (t) => {
    const { node, check, reply, resets } = await setUpAvailable();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    t.mock.method(performance, 'now', () => 0);
    reply(never);
    void check();
    for (const [ms, isAvailable, resetsThen] of [
      [249, true, 0],
      [1, false, 0],
      [749, false, 0],
      [1, false, 1],
    ] as const) {
      t.mock.timers.tick(ms);
      await nextIteration();
      assert.deepEqual([node.isAvailable, resets()], [isAvailable, resetsThen]);
    }
  });

  it('is kept if this process is busy for more than a second', async () => {
    const { node, check, reply, resets } = await setUpAvailable();
    // The reply arrives while the process is busy. Node.js runs timers before it reads what has arrived.
    reply((token) => stat('.').then(() => [token, '']));
    await nextIteration();
    const checking = check();
    const until = performance.now() + 1200;
    while (performance.now() < until);
    await checking;
    assert.deepEqual([resets(), node.isAvailable], [0, true]);
  });

  for (const [what, wrong] of [
    ['to another command', ['another token', '']],
    ['that is too short', ['1']],
    ['that is no list', 'PONG'],
    ['that is null', null],
  ] as const) {
    it(`is reset by a reply ${what}: later replies would reach wrong commands`, async () => {
      const { node, check, reply, resets } = setUp();
      reply(() => Promise.resolve(wrong));
      await check();
      assert.deepEqual([resets(), node.isAvailable], [1, false]);
    });
  }
});
