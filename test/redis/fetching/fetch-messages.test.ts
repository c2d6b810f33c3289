import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFetchMessages } from '../../../src/redis/fetching/fetch-messages.js';

describe('a wait for the message of a fetch', () => {
  it('ends with the first message, keeps the next one, and leaves no timer and no listener', async () => {
    let stoppedTimers = 0;
    const messages = createFetchMessages(() => () => {
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
