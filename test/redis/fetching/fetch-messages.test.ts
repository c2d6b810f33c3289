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
      messages.receive(`other stored ${fetchId} key`);
    }
    assert.deepEqual(await next, { outcome: 'stored', fetchId: 'first' });
    assert.equal(stoppedTimers, 1);
    assert.equal((await listener.next(1000))?.fetchId, 'second');
    listener.close();
    messages.receive('other stored third key');
    const after = listener.next(1000);
    listener.close();
    assert.equal(await after, undefined);
    assert.equal(stoppedTimers, 3);
  });
});

describe('the end of a fetch', () => {
  const KEY = 'position:são paulo\n: br';

  it('reaches the requests of its process with its result, and not again as a message', async () => {
    const messages = createMessageRouter();
    const listener = messages.listen(KEY);
    const end = {
      fetchId: 'f',
      outcome: 'failed',
      result: { failure: new Error('down') },
    } as const;
    messages.receive(messages.end(KEY, end));
    assert.equal(await listener.next(1000), end);
    listener.close();
    assert.equal(await listener.next(1), undefined);
  });

  it('reaches other processes as a message with key, fetch ID, and outcome', async () => {
    for (const outcome of ['stored', 'failed', 'dropped'] as const) {
      const messages = createMessageRouter();
      const listener = messages.listen(KEY);
      const result = { failure: new Error('secret') };
      messages.receive(createMessageRouter().end(KEY, { fetchId: 'f', outcome, result }));
      assert.deepEqual(await listener.next(1000), { fetchId: 'f', outcome });
      listener.close();
    }
  });

  it('is ignored if it is damaged or too long', async () => {
    const messages = createMessageRouter();
    const listener = messages.listen('key');
    const texts = [
      '',
      'key',
      'other stored key',
      'other ended f key',
      ' stored f key',
      '{"key":"key"}',
    ];
    for (const text of [...texts, `${'x'.repeat(1000)} stored f key`]) messages.receive(text);
    listener.close();
    assert.equal(await listener.next(1), undefined);
  });
});
