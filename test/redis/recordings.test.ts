import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LateReplyError, StoreUnavailableError } from '../../src/errors.js';
import { createRecordings } from '../../src/redis/recordings.js';
import { eventually } from '../support/eventually.js';

const unavailable = () => new StoreUnavailableError('Redis does not answer');
const refusedBy = (message: string) => () =>
  new StoreUnavailableError(`Redis: ${message}`, {
    cause: Object.assign(new Error(message), { name: 'ReplyError' }),
  });

/** A node whose writes the test lets through, refuses or loses. */
function begin(groupOf: (item: number) => string = () => 'a node', keyOf = groupOf) {
  const sent: number[] = [];
  const node = { isWritable: true, fails: undefined as (() => Error) | undefined, takesMs: 0 };
  const recordings = createRecordings<number>({
    keyOf,
    groupOf,
    isWritable: () => node.isWritable,
    send(batch) {
      sent.push(...batch);
      if (node.fails) return Promise.reject(node.fails());
      return node.takesMs > 0 ? sleep(node.takesMs) : Promise.resolve();
    },
  });
  return { node, sent, recordings };
}

describe('recordings', () => {
  it('are sent at once', async () => {
    const { sent, recordings } = begin();
    const written = recordings.add([1]);
    assert.deepEqual(sent, [1]);
    await written;
  });

  it('wait for a node that takes no writes, and go out in their order', async () => {
    const { node, sent, recordings } = begin();
    node.isWritable = false;
    const written = [1, 2, 3].map((item) => recordings.add([item]));
    assert.deepEqual(sent, []);
    node.isWritable = true;
    written.push(recordings.add([4]));
    await Promise.all(written);
    assert.deepEqual(sent, [1, 2, 3, 4]);
  });

  for (const [what, error] of [
    ['was lost', unavailable],
    ['was late', () => new LateReplyError('late')],
    ['was a replica', refusedBy('READONLY')],
  ] as const) {
    it(`whose node ${what} are sent again`, async () => {
      const { node, sent, recordings } = begin();
      node.fails = error;
      const written = recordings.add([1]);
      await eventually(() => sent.length >= 2, 'that it is sent again');
      node.fails = undefined;
      await written;
      assert.equal(new Set(sent).size, 1);
    });
  }

  it('that Redis refuses are dropped', async () => {
    const { node, sent, recordings } = begin();
    node.fails = refusedBy('NOPERM');
    await recordings.add([1]);
    assert.deepEqual(sent, [1]);
  });

  it('are dropped when they have waited for three seconds', async () => {
    const { node, sent, recordings } = begin();
    node.isWritable = false;
    await recordings.add([1]);
    node.isWritable = true;
    await recordings.add([2]);
    assert.deepEqual(sent, [2]);
  });

  it('wait twenty thousand at most, on all nodes: there is no room for more', async () => {
    const { node, sent, recordings } = begin((item) => String(Math.floor(item / 10) % 3));
    node.isWritable = false;
    const written = Array.from({ length: 2001 }, (_, batch) => {
      const [first = 0, ...others] = Array.from({ length: 10 }, (_, n) => 10 * batch + n);
      return recordings.add([first, ...others]);
    });
    node.isWritable = true;
    await Promise.all(written);
    const inOrder = [...sent].sort((a, b) => a - b);
    assert.deepEqual([sent.length, inOrder[0], inOrder.at(-1)], [20_000, 0, 19_999]);
    node.isWritable = false;
    const later = recordings.add([20_010]);
    node.isWritable = true;
    await later;
    assert.equal(sent.at(-1), 20_010, 'who has waited makes room');
  });

  it('that failed are sent again in their order, and hold up no other node', async () => {
    const { node, sent, recordings } = begin((item) => (item < 10 ? 'one' : 'another'));
    node.fails = unavailable;
    const written = [recordings.add([1])];
    await sleep(50);
    written.push(recordings.add([2]));
    await eventually(() => sent.length >= 2, 'that the first one is sent again');
    node.fails = undefined;
    written.push(recordings.add([10]));
    assert.equal(sent.at(-1), 10);
    const failed = sent.length;
    await Promise.all(written);
    assert.deepEqual(sent.slice(failed), [1, 2]);
  });

  it('that waited are worked off, also when more come than Redis answers one by one', async (t) => {
    const { node, sent, recordings } = begin(undefined, String);
    node.takesMs = 20;
    node.fails = unavailable;
    void recordings.add([0]);
    let count = 1;
    let isDirect = false;
    const coming = setInterval(() => {
      const before = sent.length;
      void recordings.add([count]);
      count += 1;
      isDirect = sent.length > before;
    }, 2);
    t.after(() => {
      clearInterval(coming);
    });
    await eventually(() => count > 50 && !isDirect, 'some that wait');
    sent.length = 0;
    node.fails = undefined;
    await eventually(() => isDirect, 'one that waits for no other');
    clearInterval(coming);
    await recordings.settled(undefined, { storeMs: 1000 });
    const [first = 0] = sent;
    assert.deepEqual(
      sent,
      Array.from({ length: count - first }, (_, n) => first + n),
    );
  });

  it('that wait hold up whoever asks for what they write, for no longer than it has time', async () => {
    const { node, sent, recordings } = begin(() => 'a node', String);
    node.isWritable = false;
    void recordings.add([0, 1]);
    const time = { storeMs: 100 };
    await assert.rejects(recordings.settled('1', time), StoreUnavailableError);
    await assert.rejects(recordings.settled(undefined, { storeMs: 10 }), StoreUnavailableError);
    await recordings.settled('2', { storeMs: 0 });
    node.isWritable = true;
    const more = { storeMs: 1000 };
    await recordings.settled('1', more);
    assert.deepEqual(sent, [0, 1]);
    assert.ok(more.storeMs < 1000);
  });
});
