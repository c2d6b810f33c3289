import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  atEndOfIteration,
  createBatcher,
  type BatchItem,
} from '../../../src/redis/client/batcher.js';

const groupOf = ([first = '']: string) => first;
const keysOf = (items: BatchItem[]) => items.map(({ key }) => key);

/** A batcher of keys. The first letter is the group, and the result is in upper case. */
function open() {
  const sent: (readonly string[])[] = [];
  const add = createBatcher<BatchItem, string>({
    send(items) {
      sent.push(keysOf(items));
      return Promise.resolve(items.map(({ key }) => key.toUpperCase()));
    },
    groupOf,
  });
  return { add, sent };
}

type Add<Result> = (item: BatchItem) => Promise<Result>;
function addAll<Result>(add: Add<Result>, keys: string[]): Promise<Result[]> {
  return Promise.all(keys.map((key) => add({ key })));
}

describe('the end of an event loop iteration', () => {
  it('comes after functions that other functions add to it', async () => {
    const called: string[] = [];
    atEndOfIteration(() => {
      called.push('first');
      atEndOfIteration(() => called.push('third'));
    });
    atEndOfIteration(() => called.push('second'));
    await setImmediate();
    assert.deepEqual(called, ['first', 'second', 'third']);
  });
});

describe('the batcher', () => {
  it('sends the items of one event loop iteration together, in the order of their arrival', async () => {
    const { add, sent } = open();
    const results = addAll(add, ['a3', 'a1', 'a2']);
    assert.deepEqual(sent, []);
    assert.deepEqual(await results, ['A3', 'A1', 'A2']);
    assert.deepEqual(sent, [['a3', 'a1', 'a2']]);
  });

  it('sends the items of different iterations separately', async () => {
    const { add, sent } = open();
    await addAll(add, ['a1']);
    await addAll(add, ['a2']);
    assert.deepEqual(sent, [['a1'], ['a2']]);
  });

  it('sends the items of different groups separately, each group in its order', async () => {
    const { add, sent } = open();
    assert.deepEqual(await addAll(add, ['a1', 'b1', 'a2', 'b2']), ['A1', 'B1', 'A2', 'B2']);
    assert.deepEqual(sent, [
      ['a1', 'a2'],
      ['b1', 'b2'],
    ]);
  });

  it('sends at most 64 items together', async () => {
    const { add, sent } = open();
    const items = Array.from({ length: 150 }, (_, n) => `a${n}`);
    const results = await addAll(add, items);
    assert.deepEqual(
      sent.map((batch) => batch.length),
      [64, 64, 22],
    );
    assert.deepEqual(sent.flat(), items);
    assert.equal(results[149], 'A149');
  });

  it('reports an error to all items of the batch, and to no other batch', async () => {
    const fault = new Error('no reply');
    const add = createBatcher<BatchItem, string>({
      send: (items) =>
        items[0]?.key === 'a1' ? Promise.reject(fault) : Promise.resolve(keysOf(items)),
      groupOf,
    });
    const settled = await Promise.allSettled(['a1', 'b1', 'a2'].map((key) => add({ key })));
    assert.deepEqual(settled, [
      { status: 'rejected', reason: fault },
      { status: 'fulfilled', value: 'b1' },
      { status: 'rejected', reason: fault },
    ]);
  });
});
