import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFetchMessages } from '../../../src/redis/fetching/fetch-messages.js';

describe('a wait for the message of a fetch', () => {
  it('ends with the first message, and leaves no timer and no listener', async () => {
    let stoppedTimers = 0;
    const messages = createFetchMessages(() => () => {
      stoppedTimers += 1;
    });
    const next = messages.next('key', 1000);
    for (const fetchId of ['first', 'second']) {
      messages.receive(JSON.stringify({ key: 'key', fetchId }));
    }
    assert.deepEqual(await next, { key: 'key', fetchId: 'first' });
    assert.equal(stoppedTimers, 1);
  });
});
