import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Announcement } from '../../../src/redis/fetching/announcements.js';
import { openInbox } from '../../../src/redis/fetching/inbox.js';

const never = new AbortController().signal;
/** Far longer than any of these tests. */
const LONG_MS = 60_000;

function setUp() {
  let tell!: (announcement: Announcement) => void;
  let closed = false;
  const inbox = openInbox(
    {
      listen(_key, listener) {
        tell = listener;
        return () => (closed = true);
      },
      onEach: () => undefined,
      close: () => undefined,
    },
    'key',
  );
  const announce = (fetchId: string) => {
    tell({ key: 'key', fetchId, by: 'worker' });
  };
  return { inbox, announce, isClosed: () => closed };
}

describe('an inbox', () => {
  it('gives every announcement in order, whether it came before the wait or during it', async () => {
    const { inbox, announce } = setUp();
    announce('1');
    announce('2');
    assert.equal((await inbox.next(LONG_MS, never))?.fetchId, '1');
    assert.equal((await inbox.next(LONG_MS, never))?.fetchId, '2');
    const third = inbox.next(LONG_MS, never);
    announce('3');
    assert.equal((await third)?.fetchId, '3');
  });

  it('gives nothing when none comes within the limit', async () => {
    assert.equal(await setUp().inbox.next(1, never), undefined);
  });

  it('ends the wait that runs when it is woken', async () => {
    const { inbox } = setUp();
    const waiting = inbox.next(LONG_MS, never);
    inbox.wake();
    assert.equal(await waiting, undefined);
  });

  it('ends the next wait when it is woken before it', async () => {
    const { inbox } = setUp();
    inbox.wake();
    assert.equal(await inbox.next(LONG_MS, never), undefined);
  });

  it('ends by the signal, with its reason', async () => {
    const { inbox } = setUp();
    const giveUp = new AbortController();
    const waiting = inbox.next(LONG_MS, giveUp.signal);
    giveUp.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    await assert.rejects(inbox.next(LONG_MS, giveUp.signal), /enough/);
  });

  it('stops to listen when it is closed', () => {
    const { inbox, isClosed } = setUp();
    inbox.close();
    assert.equal(isClosed(), true);
  });
});
