import type { Redis } from 'ioredis';

/** One connection, seen from below: what went out and what came back. */
export interface Wire {
  /** Bytes that came, ever. */
  bytesRead(): number;
  /** Commands that were sent and have no reply yet. */
  unanswered(): number;
  /** Holds back what is written in this turn of the event loop, to send all of it at its end. */
  batch(): void;
  /** Gives the connection up; the client makes a new one. */
  destroy(): void;
}

/**
 * One system call a turn instead of one a command. The client's own auto-pipelining costs twice the
 * processor time of this. It also keeps a command back while an earlier batch has no reply: with a
 * Redis that is slow by D, a command would take up to twice D.
 * @param connection gives the present connection of the node; undefined while there is none
 */
export function createWire(connection: () => Redis | undefined): Wire {
  let held = false;
  return {
    bytesRead: () => streamOf(connection())?.bytesRead ?? 0,
    unanswered: () => queueOf(connection())?.length ?? 0,
    batch() {
      const stream = held ? undefined : streamOf(connection());
      if (!stream) return;
      held = true;
      stream.cork();
      setImmediate(() => {
        held = false;
        stream.uncork();
      });
    },
    destroy() {
      streamOf(connection())?.destroy();
    },
  };
}

/** Undefined before the first connection, whatever its type says. */
function streamOf(connection: Redis | undefined): Redis['stream'] | undefined {
  return connection?.status === 'ready' ? connection.stream : undefined;
}

/** The client's list of commands that wait for a reply is not part of its types. */
function queueOf(connection: Redis | undefined): { length: number } | undefined {
  const queue: unknown = connection && Reflect.get(connection, 'commandQueue');
  return queue as { length: number } | undefined;
}
