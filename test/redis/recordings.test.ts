import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LateReplyError, StoreUnavailableError } from '../../src/errors.js';
import { createRecordings } from '../../src/redis/recordings.js';
import { eventually } from '../support/eventually.js';

const unavailable = () => new StoreUnavailableError('Redis does not answer');
const refusedBy = (message: string) => () =>
  new StoreUnavailableError(`Redis: ${message}`, {
    cause: Object.assign(new Error(message), { name: 'ReplyError' }),
  });

/** A node whose writes the test lets through, refuses or loses. */
function begin() {
  const sent: number[] = [];
  const node = { isWritable: true, fails: undefined as (() => Error) | undefined };
  const recordings = createRecordings<number>({
    isWritable: () => node.isWritable,
    send(item) {
      sent.push(item);
      return node.fails ? Promise.reject(node.fails()) : Promise.resolve();
    },
  });
  return { node, sent, recordings };
}

describe('recordings', () => {
  it('are sent at once', async () => {
    const { sent, recordings } = begin();
    const written = recordings.add(1);
    assert.deepEqual(sent, [1]);
    await written;
  });

  it('wait for a node that takes no writes, and go out in their order', async () => {
    const { node, sent, recordings } = begin();
    node.isWritable = false;
    const written = [1, 2, 3].map((item) => recordings.add(item));
    assert.deepEqual(sent, []);
    node.isWritable = true;
    written.push(recordings.add(4));
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
      const written = recordings.add(1);
      await eventually(() => sent.length >= 2, 'that it is sent again');
      node.fails = undefined;
      await written;
      assert.equal(new Set(sent).size, 1);
    });
  }

  it('that Redis refuses are dropped', async () => {
    const { node, sent, recordings } = begin();
    node.fails = refusedBy('NOPERM');
    await recordings.add(1);
    assert.deepEqual(sent, [1]);
  });

  it('are dropped when they have waited for two seconds', async () => {
    const { node, sent, recordings } = begin();
    node.isWritable = false;
    await recordings.add(1);
    node.isWritable = true;
    await recordings.add(2);
    assert.deepEqual(sent, [2]);
  });

  it('wait a thousand at most: the oldest make room', async () => {
    const { node, sent, recordings } = begin();
    node.isWritable = false;
    const written = Array.from({ length: 1010 }, (_, item) => recordings.add(item));
    node.isWritable = true;
    await Promise.all(written);
    assert.deepEqual([sent.length, sent[0], sent.at(-1)], [1000, 10, 1009]);
  });

  it('that wait hold up whoever asks for what they write, for no longer than it has time', async () => {
    const { node, sent, recordings } = begin();
    node.isWritable = false;
    void recordings.add(1);
    const time = { storeMs: 100 };
    await assert.rejects(
      recordings.settled((item) => item === 1, time),
      StoreUnavailableError,
    );
    await recordings.settled((item) => item === 2, { storeMs: 0 });
    node.isWritable = true;
    const more = { storeMs: 1000 };
    await recordings.settled((item) => item === 1, more);
    assert.deepEqual(sent, [1]);
    assert.ok(more.storeMs < 1000);
  });
});
