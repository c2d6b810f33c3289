import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBatcher } from '../../src/redis/batcher.js';
import { createTurns } from '../../src/redis/turn.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A batcher whose items are words; the first letter is the group, and the result is upper case. */
function open({ fails }: { fails?: Error } = {}) {
  const sent: string[][] = [];
  const { add } = createBatcher<string, string>({
    atEndOfTurn: createTurns(),
    send(items) {
      sent.push(items);
      if (fails) return Promise.reject(fails);
      return Promise.resolve(items.map((item) => item.toUpperCase()));
    },
    groupOf: ([first = '']) => first,
  });
  /** Two items in one turn: the next turn does not begin as a quiet one. */
  async function busyTurn(): Promise<void> {
    await Promise.allSettled([add('a0'), add('a00')]);
    await nextTurn();
    sent.length = 0;
  }
  return { add, sent, busyTurn };
}

describe('the batcher', () => {
  it('sends the items of one turn together, in the order of their arrival', async () => {
    const { add, sent, busyTurn } = open();
    await busyTurn();
    const results = await Promise.all(['a3', 'a1', 'a2'].map(add));
    assert.deepEqual(results, ['A3', 'A1', 'A2']);
    assert.deepEqual(sent, [['a3', 'a1', 'a2']]);
  });

  it('sends the items of different turns apart', async () => {
    const { add, sent, busyTurn } = open();
    await busyTurn();
    const first = ['a1', 'a2'].map(add);
    await nextTurn();
    await Promise.all([...first, ...['a3', 'a4'].map(add)]);
    assert.deepEqual(sent, [
      ['a1', 'a2'],
      ['a3', 'a4'],
    ]);
  });

  it('sends the items of different groups apart, each group in its order', async () => {
    const { add, sent, busyTurn } = open();
    await busyTurn();
    const results = await Promise.all(['a1', 'b1', 'a2', 'b2'].map(add));
    assert.deepEqual(results, ['A1', 'B1', 'A2', 'B2']);
    assert.deepEqual(sent, [
      ['a1', 'a2'],
      ['b1', 'b2'],
    ]);
  });

  it('sends at most so many items together', async () => {
    const { add, sent, busyTurn } = open();
    await busyTurn();
    await Promise.all(Array.from({ length: 150 }, (_, n) => add(`a${n}`)));
    assert.deepEqual(
      sent.map((items) => items.length),
      [64, 64, 22],
    );
  });

  it('sends a lone item at once, and those that follow it in the same turn together', async () => {
    const { add, sent } = open();
    const first = add('a1');
    assert.deepEqual(sent, [['a1']]);
    const others = ['a2', 'a3'].map(add);
    assert.deepEqual(sent, [['a1']]);
    assert.deepEqual(await Promise.all([first, ...others]), ['A1', 'A2', 'A3']);
    assert.deepEqual(sent, [['a1'], ['a2', 'a3']]);
  });

  it('waits for the end of a turn after one with several items, until one had a single item', async () => {
    const { add, sent, busyTurn } = open();
    await busyTurn();
    void add('a1');
    assert.deepEqual(sent, []);
    await nextTurn();
    void add('a2');
    assert.deepEqual(sent, [['a1'], ['a2']]);
  });

  it('fails every item of what failed, and sends the next ones', async () => {
    const fails = new Error('gone');
    const { add, sent, busyTurn } = open({ fails });
    await busyTurn();
    const settled = await Promise.allSettled(['a1', 'a2'].map(add));
    assert.deepEqual(
      settled.map((one) => one.status === 'rejected' && one.reason === fails),
      [true, true],
    );
    await assert.rejects(add('a3'), fails);
    assert.deepEqual(sent, [['a1', 'a2'], ['a3']]);
  });

  it('fails the items of a send that throws at once', async () => {
    const fails = new Error('a bug');
    const { add } = createBatcher<string, string>({
      atEndOfTurn: createTurns(),
      send() {
        throw fails;
      },
      groupOf: () => '',
    });
    const settled = await Promise.allSettled([add('a1'), add('a2'), add('a3')]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    );
  });
});
