import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LateReplyError, StoreUnavailableError } from '../../../src/errors.js';
import { createRedisNode } from '../../../src/redis/client/node.js';
import { createTurns } from '../../../src/redis/turn.js';
import { turn } from '../../support/eventually.js';
import { createRandom } from '../../support/random.js';
import { SEED } from '../../support/seed.js';

function reply(message: string): Error {
  return Object.assign(new Error(message), { name: 'ReplyError' });
}

const prompt = () => Promise.resolve(['1', '0']);
const never = () => new Promise<never>(() => undefined);

/** A node whose answers the test gives. */
function setUp() {
  let answer: () => Promise<unknown> = prompt;
  let destroyed = 0;
  const connect = (): Redis =>
    ({
      status: 'ready',
      stream: { cork: () => undefined, uncork: () => undefined, destroy: () => (destroyed += 1) },
      eval: () => answer(),
    }) as unknown as Redis;
  const errors: [unknown, readonly string[]][] = [];
  let troubles = 0;
  const node = createRedisNode({
    atEndOfTurn: createTurns(),
    onTrouble: () => (troubles += 1),
    onError: (error, keys) => errors.push([error, keys]),
    onEnd: () => undefined,
  });
  return {
    node,
    connect,
    errors,
    troubles: () => troubles,
    destroyed: () => destroyed,
    /** What the node answers to probes from now on. */
    answers: (next: () => Promise<unknown>) => {
      answer = next;
    },
    ask: (error?: Error) =>
      node.run(['key'], () => (error ? Promise.reject(error) : Promise.resolve('value')), {
        storeMs: 250,
      }),
  };
}

/** A connected node, and a clock by which its probes take as long as the test says. */
async function setUpWithClock(t: TestContext) {
  // Timers of earlier tests end themselves by the real `clearInterval`.
  await sleep(50);
  // Where the machine is late, the last tick of such a timer comes right after this one.
  await turn();
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const all = setUp();
  all.node.follow(all.connect());
  await all.node.probe(['key']);
  return {
    ...all,
    probes: async (tookMs: number): Promise<void> => {
      all.answers(() => {
        now += tookMs;
        // The timer of the waits ticks as long.
        for (let ms = 10; ms <= tookMs; ms += 10) t.mock.timers.tick(10);
        return new Promise((resolve) => setImmediate(() => setImmediate(resolve, ['1', '0'])));
      });
      await all.node.probe(['key']);
      now += 100;
    },
  };
}

describe('a node of Redis', () => {
  it('is used after one probe in time over a new connection, each time', async () => {
    const { node, connect, ask } = setUp();
    for (let round = 0; round < 4; round += 1) {
      await assert.rejects(ask(), StoreUnavailableError);
      node.follow(connect());
      await assert.rejects(ask(), StoreUnavailableError);
      assert.notEqual(await node.probe(['key']), undefined);
      assert.equal(await ask(), 'value');
      assert.deepEqual([node.isUsable, node.isWell, node.fault], [true, true, undefined]);
      node.follow(undefined);
      assert.equal(node.fault?.reason, 'no_connection');
    }
  });

  it('is asked again for one key when it refuses two: only then it says how it is', async () => {
    for (const [state, isWritable] of [
      ['OK', true],
      ['READONLY', false],
      ['MOVED 1 127.0.0.1:1', false],
    ] as const) {
      const { node, connect, answers, errors } = setUp();
      const said = isWritable ? [] : [reply(state)];
      const refusal = reply('CROSSSLOT keys of several');
      const replies: Error[] = [refusal, ...said];
      answers(() => {
        const reply = replies.shift();
        return reply ? Promise.reject(reply) : prompt();
      });
      node.follow(connect());
      const offset = await node.probe(['{1}', '{2}']);
      assert.deepEqual([node.isWritable, offset !== undefined], [isWritable, isWritable], state);
      assert.deepEqual(errors, node.isUsable ? [[refusal, ['{1}', '{2}']]] : []);
    }
  });

  it('is used after one probe in time also where a probe was lost with its connection', async () => {
    const { node, connect, ask, answers } = setUp();
    // A client that connects anew is the same object.
    const client = connect();
    node.follow(client);
    await node.probe(['key']);
    answers(never);
    const lost = node.probe(['key']);
    node.follow(undefined);
    await sleep(1);
    node.follow(client);
    assert.equal(await lost, undefined);
    answers(prompt);
    await node.probe(['key']);
    assert.deepEqual([node.isUsable, node.isWell], [true, true]);
    assert.equal(await ask(), 'value');
  });

  it('is not used over a new connection whose first probe is late', async (t) => {
    const { node, connect, probes } = await setUpWithClock(t);
    node.follow(undefined);
    node.follow(connect());
    await probes(150);
    assert.equal(node.isUsable, false);
    await probes(1);
    assert.equal(node.isUsable, true);
  });

  it('gives up at once what was lost with its connection, and may take effect all the same', async () => {
    const { node, connect } = setUp();
    node.follow(connect());
    await node.probe(['key']);
    const time = { storeMs: 250 };
    const lost = node.run(['key'], never, time);
    node.follow(undefined);
    await assert.rejects(lost, LateReplyError);
    assert.equal(time.storeMs, 250);
  });

  it('is not used after three probes in vain, and is after four in time', async () => {
    const { node, connect, answers } = setUp();
    node.follow(connect());
    await node.probe(['key']);
    let answer!: (time: string[]) => void;
    answers(() => new Promise((resolve) => (answer = resolve)));
    const began = performance.now();
    await node.probe(['key']);
    const ended = performance.now();
    await node.probe(['key']);
    assert.deepEqual([node.isUsable, node.isWell], [true, false]);
    await node.probe(['key']);
    assert.deepEqual([node.isUsable, node.fault?.reason], [false, 'slow']);
    const since = node.fault?.since ?? NaN;
    assert.ok(began <= since && since <= ended, 'since the first of them was sent');
    answer(['1', '0']);
    await sleep(1);
    answers(prompt);
    for (let n = 0; n < 3; n += 1) await node.probe(['key']);
    assert.equal(node.isUsable, false);
    await node.probe(['key']);
    assert.deepEqual([node.isUsable, node.isWell, node.fault], [true, true, undefined]);
  });

  it('that answers no probe is silent after half a second, and its connection ends after one', async () => {
    const { node, connect, answers, destroyed } = setUp();
    node.follow(connect());
    await node.probe(['key']);
    let asked = 0;
    answers(() => {
      asked += 1;
      return never();
    });
    for (let n = 0; n <= 5; n += 1) await node.probe(['key']);
    assert.equal(node.fault?.reason, 'no_answer');
    for (let n = 6; n < 10; n += 1) await node.probe(['key']);
    assert.equal(destroyed(), 0);
    await node.probe(['key']);
    assert.deepEqual([destroyed(), asked], [1, 1]);
  });

  it('that refuses writes still answers reads, until a probe says otherwise', async () => {
    const { node, connect, ask, answers, troubles } = setUp();
    node.follow(connect());
    await node.probe(['key']);
    await assert.rejects(ask(reply('OOM command not allowed')), StoreUnavailableError);
    assert.deepEqual([node.isUsable, node.isWritable], [true, false]);
    assert.deepEqual([node.fault?.reason, troubles()], ['out_of_memory', 1]);
    assert.equal(await ask(), 'value');
    answers(() => Promise.reject(reply('OOM command not allowed')));
    assert.equal(await node.probe(['key']), undefined);
    assert.equal(node.isWritable, false);
    answers(prompt);
    await node.probe(['key']);
    assert.deepEqual([node.isWritable, node.fault], [true, undefined]);
  });

  it('that is loading is not asked, and is used as soon as it has loaded', async () => {
    const { node, connect, ask, answers } = setUp();
    node.follow(connect());
    answers(() => Promise.reject(reply('LOADING Redis is loading the dataset in memory')));
    for (let n = 0; n < 3; n += 1) await node.probe(['key']);
    assert.deepEqual([node.isUsable, node.fault?.reason], [false, 'loading']);
    await assert.rejects(ask(), StoreUnavailableError);
    answers(prompt);
    await node.probe(['key']);
    assert.equal(await ask(), 'value');
  });

  it('of a cluster, given as a single server, is not used before another connection', async () => {
    const { node, connect, ask } = setUp();
    node.follow(connect());
    await node.probe(['key']);
    await assert.rejects(ask(reply('MOVED 3999 127.0.0.1:6381')), StoreUnavailableError);
    await node.probe(['key']);
    assert.deepEqual([node.isUsable, node.fault?.reason], [false, 'part_of_a_cluster']);
  });

  it('hands on errors that say nothing about it, with all keys, and stays well', async () => {
    const { node, connect, ask, errors, troubles } = setUp();
    node.follow(connect());
    await node.probe(['key']);
    const error = reply('ERR no such command');
    await assert.rejects(ask(error), { name: 'StoreUnavailableError', cause: error });
    assert.deepEqual([errors, node.isWell, troubles()], [[[error, ['key']]], true, 0]);
  });
});

describe('a node whose replies are late', () => {
  /** How often it is used or not used anew, in so many probes. */
  async function changes(t: TestContext, tookMs: () => number, count = 600): Promise<number> {
    const { node, probes } = await setUpWithClock(t);
    let [changed, was] = [0, node.isUsable];
    for (let n = 0; n < count; n += 1) {
      await probes(tookMs());
      if (node.isUsable !== was) changed += 1;
      was = node.isUsable;
    }
    return changed;
  }
  const random = createRandom(SEED);
  const around = (ms: number, spread: number) => () => ms + (random.next() - 0.5) * 2 * spread;

  it('is used at 100 ms, give or take 30', async (t) => {
    assert.equal(await changes(t, around(100, 30)), 0);
  });

  it('is not used at 130 ms, give or take 30, and stays so', async (t) => {
    assert.equal(await changes(t, around(130, 30)), 1);
  });

  it('seldom changes where that is decided, at 110 ms, give or take 10', async (t) => {
    const changed = await changes(t, around(110, 10));
    assert.ok(changed <= 6, `${changed} changes in 600 probes, which is two minutes`);
  });
});
