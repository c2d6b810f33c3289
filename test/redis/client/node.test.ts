import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../../src/errors.js';
import { createRedisNode } from '../../../src/redis/client/node.js';

function reply(message: string): Error {
  return Object.assign(new Error(message), { name: 'ReplyError' });
}

/** A node whose answers the test gives. */
function setUp() {
  let answer: () => Promise<unknown> = () => Promise.resolve(['1', '0']);
  /** @param owed commands without a reply */
  const connect = (owed: unknown[] = []): Redis =>
    ({
      status: 'ready',
      stream: { bytesRead: 0, cork: () => undefined, uncork: () => undefined },
      commandQueue: owed,
      eval: () => answer(),
    }) as unknown as Redis;
  const errors: unknown[] = [];
  let changes = 0;
  const node = createRedisNode({
    onChange: () => (changes += 1),
    onError: (error) => errors.push(error),
    onEnd: () => undefined,
  });
  return {
    node,
    connect,
    errors,
    changes: () => changes,
    /** What the node answers to probes from now on. */
    answers: (next: () => Promise<unknown>) => {
      answer = next;
    },
    ask: (error?: Error) =>
      node.run('key', () => (error ? Promise.reject(error) : Promise.resolve('value')), {
        storeMs: 250,
      }),
  };
}

describe('a node of Redis', () => {
  it('is used after one good probe over a new connection, each time', async () => {
    const { node, connect, ask } = setUp();
    for (let round = 0; round < 4; round += 1) {
      await assert.rejects(ask(), StoreUnavailableError);
      node.follow(connect());
      await assert.rejects(ask(), StoreUnavailableError);
      assert.notEqual(await node.probe('key'), undefined);
      assert.equal(await ask(), 'value');
      assert.deepEqual([node.isUsable, node.isWell, node.fault], [true, true, undefined]);
      node.follow(undefined);
    }
  });

  it('is used after one good probe also where a probe was lost with its connection', async () => {
    const { node, connect, ask, answers } = setUp();
    // A client that connects anew is the same object.
    const client = connect();
    node.follow(client);
    await node.probe('key');
    answers(() => new Promise(() => undefined));
    const lost = node.probe('key');
    node.follow(undefined);
    await sleep(1);
    node.follow(client);
    assert.equal(await lost, undefined);
    answers(() => Promise.resolve(['1', '0']));
    await node.probe('key');
    assert.deepEqual([node.isUsable, node.isWell], [true, true]);
    assert.equal(await ask(), 'value');
  });

  it('that was slow is not used at once over a new connection', async () => {
    const { node, connect, answers } = setUp();
    node.follow(connect());
    await node.probe('key');
    answers(() => new Promise(() => undefined));
    for (let n = 0; n < 4; n += 1) await node.probe('key');
    assert.equal(node.fault, 'slow');
    answers(() => Promise.resolve(['1', '0']));
    // Also when that one is lost before it was used.
    for (let n = 0; n < 2; n += 1) {
      node.follow(undefined);
      node.follow(connect());
      await node.probe('key');
      assert.equal(node.isUsable, false);
    }
  });

  it('that was late, and then silent, is not used at once over a new connection', async () => {
    const { node, connect, answers } = setUp();
    node.follow(connect(['a command']));
    await node.probe('key');
    answers(() => new Promise(() => undefined));
    const lost = node.run('key', () => new Promise(() => undefined), { storeMs: 250 });
    await assert.rejects(lost, StoreUnavailableError);
    assert.equal(node.fault, 'no_answer');
    for (let n = 0; n < 4; n += 1) await node.probe('key');
    answers(() => Promise.resolve(['1', '0']));
    node.follow(undefined);
    node.follow(connect());
    await node.probe('key');
    assert.equal(node.isUsable, false);
  });

  it('gives up at once what was lost with its connection', async () => {
    const { node, connect } = setUp();
    node.follow(connect());
    await node.probe('key');
    const time = { storeMs: 250 };
    const lost = node.run('key', () => new Promise(() => undefined), time);
    node.follow(undefined);
    await assert.rejects(lost, StoreUnavailableError);
    assert.equal(time.storeMs, 250);
  });

  it('whose connection is lost tells so after two seconds of probes', async () => {
    const { node, connect } = setUp();
    node.follow(connect());
    await node.probe('key');
    node.follow(undefined);
    for (let n = 0; n < 19; n += 1) await node.probe('key');
    assert.deepEqual([node.isUsable, node.fault], [false, undefined]);
    await node.probe('key');
    assert.equal(node.fault, 'no_connection');
  });

  it('that refuses writes still answers reads', async () => {
    const { node, connect, ask, answers } = setUp();
    node.follow(connect());
    await node.probe('key');
    await assert.rejects(ask(reply('OOM command not allowed')), StoreUnavailableError);
    assert.deepEqual([node.isUsable, node.fault], [true, 'out_of_memory']);
    assert.equal(await ask(), 'value');
    answers(() => Promise.reject(reply('OOM command not allowed')));
    assert.equal(await node.probe('key'), undefined);
    assert.equal(node.fault, 'out_of_memory');
  });

  it('that is loading is not asked, nor before nothing was wrong for two seconds', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const { node, connect, ask, answers } = setUp();
    node.follow(connect());
    const loading = () => Promise.reject(reply('LOADING Redis is loading the dataset in memory'));
    for (const goodForMs of [1999, 2000]) {
      answers(loading);
      await node.probe('key');
      assert.deepEqual([node.isUsable, node.fault], [false, 'loading']);
      answers(() => Promise.resolve(['1', '0']));
      await node.probe('key');
      await assert.rejects(ask(), StoreUnavailableError);
      now += goodForMs;
      await node.probe('key');
      assert.equal(node.isUsable, goodForMs === 2000);
    }
    assert.equal(await ask(), 'value');
  });

  it('whose connection is lost after another fault tells so at once', async () => {
    const { node, connect, answers } = setUp();
    node.follow(connect());
    answers(() => Promise.reject(reply('BUSY Redis is busy running a script')));
    await node.probe('key');
    node.follow(undefined);
    assert.deepEqual([node.isUsable, node.fault], [false, 'no_connection']);
  });

  it('that was slow is not used before no reply was late for two seconds', async (t) => {
    const clock = performance.now.bind(performance);
    let skippedMs = 0;
    t.mock.method(performance, 'now', () => clock() + skippedMs);
    const { node, connect, answers } = setUp();
    node.follow(connect());
    let reply!: (time: string[]) => void;
    answers(() => new Promise((resolve) => (reply = resolve)));
    const first = node.probe('key');
    for (let n = 0; n < 3; n += 1) await node.probe('key');
    assert.deepEqual([node.isUsable, node.fault], [false, 'slow']);
    reply(['1', '0']);
    await first;
    const fast = () => Promise.resolve(['1', '0']);
    answers(fast);
    for (let n = 0; n < 4; n += 1) await node.probe('key');
    skippedMs += 2000;
    answers(() => sleep(150, ['1', '0']));
    await node.probe('key');
    answers(fast);
    await node.probe('key');
    assert.equal(node.isUsable, false);
    skippedMs += 2000;
    await node.probe('key');
    assert.equal(node.isUsable, true);
  });

  it('hands on errors that say nothing about it, and stays well', async () => {
    const { node, connect, ask, errors, changes } = setUp();
    node.follow(connect());
    await node.probe('key');
    const before = changes();
    await assert.rejects(ask(reply('ERR no such command')), StoreUnavailableError);
    assert.equal(errors.length, 1);
    assert.deepEqual([node.isWell, changes()], [true, before]);
  });

  it('has no more than one probe under way, and none that is unanswered counts for it', async () => {
    const { node, connect, answers } = setUp();
    node.follow(connect());
    let asked = 0;
    answers(() => {
      asked += 1;
      return new Promise(() => undefined);
    });
    const first = node.probe('key');
    for (let n = 0; n < 3; n += 1) await node.probe('key');
    assert.equal(asked, 1);
    assert.equal(node.fault, 'slow');
    assert.equal(await first, undefined);
  });
});
