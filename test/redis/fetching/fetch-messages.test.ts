import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMessageRouter } from '../../../src/redis/fetching/fetch-messages.js';

describe('a wait for the message of a fetch', () => {
  it('ends with the first message, keeps the next one, and leaves no timer and no listener', async () => {
    let stoppedTimers = 0;
    const messages = createMessageRouter(() => () => {
      stoppedTimers += 1;
    });
    const listener = messages.listen('key');
    const next = listener.next(1000);
    for (const fetchId of ['first', 'second']) {
      messages.receive(JSON.stringify({ key: 'key', fetchId }));
    }
    assert.deepEqual(await next, { key: 'key', fetchId: 'first' });
    assert.equal(stoppedTimers, 1);
    assert.equal((await listener.next(1000))?.fetchId, 'second');
    listener.close();
    messages.receive(JSON.stringify({ key: 'key', fetchId: 'third' }));
    const after = listener.next(1000);
    listener.close();
    assert.equal(await after, undefined);
    assert.equal(stoppedTimers, 3);
  });
});

describe('the message of a fetch', () => {
  const nextOf = async (text: string) => {
    const messages = createMessageRouter();
    const listener = messages.listen('key');
    messages.receive(text);
    listener.close();
    return listener.next(1);
  };
  const message = { key: 'key', fetchId: 'f' };

  it('has a wait of at most one day after a failure, and a short text', async () => {
    for (const retryAfterMs of [1000, 86_400_000, 86_400_001, 1e15]) {
      const text = JSON.stringify({ ...message, failure: 'x'.repeat(5000), retryAfterMs });
      const { failure } = (await nextOf(text))!;
      assert.equal(failure?.retryAfterSeconds, Math.min(retryAfterMs, 86_400_000) / 1000);
      assert.equal(failure.message.length, 200);
    }
  });

  it('is ignored if it is larger than 64 KB', async () => {
    const ofLength = (length: number) => JSON.stringify({ ...message, entry: 'x'.repeat(length) });
    assert.equal((await nextOf(ofLength(65_000)))?.fetchId, 'f');
    assert.equal(await nextOf(ofLength(65_536)), undefined);
  });
});
