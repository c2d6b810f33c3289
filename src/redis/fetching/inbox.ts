import type { Announcement, Announcements } from './announcements.js';

/** What one waiter is told about one key, in order and without a gap. */
export interface Inbox {
  /**
   * The next announcement.
   * @returns undefined when none came within the limit, or when `wake` was called
   * @throws the signal's reason when it aborts
   */
  next(limitMs: number, signal: AbortSignal): Promise<Announcement | undefined>;
  /** Ends the wait for the next announcement. */
  wake: () => void;
  close(): void;
}

export function openInbox(announcements: Announcements, key: string): Inbox {
  const received: Announcement[] = [];
  let wake: () => void = () => undefined;
  const close = announcements.listen(key, (announcement) => {
    received.push(announcement);
    wake();
  });

  return {
    close,
    wake: () => {
      wake();
    },
    async next(limitMs, signal) {
      signal.throwIfAborted();
      if (received.length > 0) return received.shift();
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, limitMs);
        signal.addEventListener('abort', wake, { once: true });
      });
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      signal.throwIfAborted();
      return received.shift();
    },
  };
}
