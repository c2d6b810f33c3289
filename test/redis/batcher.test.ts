import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBatcher } from '../../src/redis/batcher.js';
import { turn } from '../support/eventually.js';

/** A batcher whose items are words; the first letter is the group. */
function open() {
  const sent: (readonly string[])[] = [];
  const add = createBatcher<string>({
    send: (batch) => sent.push(batch),
    groupOf: ([first = '']) => first,
  });
  return { add, sent };
}

describe('the batcher', () => {
  it('sends the items of one event loop iteration together, in the order of their arrival', async () => {
    const { add, sent } = open();
    ['a3', 'a1', 'a2'].forEach(add);
    assert.deepEqual(sent, []);
    await turn();
    assert.deepEqual(sent, [['a3', 'a1', 'a2']]);
  });

  it('sends the items of different iterations separately', async () => {
    const { add, sent } = open();
    ['a1', 'a2'].forEach(add);
    await turn();
    ['a3', 'a4'].forEach(add);
    await turn();
    assert.deepEqual(sent, [
      ['a1', 'a2'],
      ['a3', 'a4'],
    ]);
  });

  it('sends the items of different groups separately, each group in its order', async () => {
    const { add, sent } = open();
    ['a1', 'b1', 'a2', 'b2'].forEach(add);
    await turn();
    assert.deepEqual(sent, [
      ['a1', 'a2'],
      ['b1', 'b2'],
    ]);
  });

  it('sends at most 64 items together', async () => {
    const { add, sent } = open();
    Array.from({ length: 150 }, (_, n) => `a${n}`).forEach(add);
    await turn();
    assert.deepEqual(
      sent.map((items) => items.length),
      [64, 64, 22],
    );
    assert.deepEqual(sent.flat().slice(62, 66), ['a62', 'a63', 'a64', 'a65']);
  });

  it('sends an item that is added while it sends', async () => {
    const sent: (readonly string[])[] = [];
    const add = createBatcher<string>({
      send(batch) {
        sent.push(batch);
        if (batch[0] === 'a1') add('a2');
      },
      groupOf: () => '',
    });
    add('a1');
    await turn();
    assert.deepEqual(sent, [['a1'], ['a2']]);
  });
});

describe('two batchers', () => {
  it('send in the same iteration, with nothing in between', async () => {
    const events: string[] = [];
    const [first, second] = ['first', 'second'].map((name) =>
      createBatcher<string>({
        send(batch) {
          events.push(`${name}: ${batch.join(' ')}`);
          process.nextTick(() => events.push('next tick'));
        },
        groupOf: () => '',
      }),
    );
    first?.('a');
    second?.('b');
    await turn();
    assert.deepEqual(events, ['first: a', 'second: b', 'next tick', 'next tick']);
  });
});
