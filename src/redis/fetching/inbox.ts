import type { Announcement, Announcements } from './announcements.js';

/** What one waiter is told about one key, in order and without a gap. */
export interface Inbox {
  /**
   * The next announcement.
   * @returns undefined when none came within the limit, or after `wake`
   * @throws the signal's reason when it aborts
   */
  next(limitMs: number, signal: AbortSignal): Promise<Announcement | undefined>;
  /** Ends the wait for the next announcement, the one that runs or the one that comes. */
  wake: () => void;
  close(): void;
}

export function openInbox(announcements: Announcements, key: string): Inbox {
  const received: Announcement[] = [];
  let isWoken = false;
  let endWait: () => void = () => undefined;
  const close = announcements.listen(key, (announcement) => {
    received.push(announcement);
    endWait();
  });

  function wait(limitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, limitMs);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
      endWait = done;
      signal.addEventListener('abort', done, { once: true });
    });
  }

  return {
    close,
    wake() {
      isWoken = true;
      endWait();
    },
    async next(limitMs, signal) {
      signal.throwIfAborted();
      if (received.length === 0 && !isWoken) await wait(limitMs, signal);
      signal.throwIfAborted();
      isWoken = false;
      return received.shift();
    },
  };
}
