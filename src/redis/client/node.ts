import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../errors.js';
import type { LoopClock } from './loop-clock.js';
import { createNodeHealth, type NodeHealth } from './node-health.js';
import { isReply, isWrongType, refusalReason } from './refusals.js';
import { createReplies, type Replies } from './replies.js';
import { createWire, type Wire } from './wire.js';

/** A little longer than the node's patience, so that a probe finds a silent node. */
const PROBE_LIMIT_MS = 250;
/**
 * A connection that is silent for so long is given up: a frozen master, a lost route. The client's
 * own `socketTimeout` also ends well connections when this process gets no processor for as long.
 */
const DEAD_MS = 1000;
/** A connection that leaves a probe unanswered for so long is given up, even if bytes trickle in. */
const STUCK_MS = 5000;

/** One Redis server that serves keys, as this process sees it. */
export interface RedisNode {
  readonly health: NodeHealth;
  readonly replies: Replies;
  readonly wire: Wire;
  readonly connection: Redis | undefined;
  /** Takes over the present connection; `undefined` while there is none. */
  follow(connection: Redis | undefined): void;
  /**
   * Asks the node for its time, and tells its health how long that took.
   * @returns how far its clock is ahead of this process's, in milliseconds; undefined without an
   *   answer in time
   */
  probe(): Promise<number | undefined>;
}

export function createRedisNode(options: {
  clock: LoopClock;
  /** The node was silent for its full patience. */
  onSilent: () => void;
  /** A wait for the node ended after so many milliseconds. */
  onEnd: (tookMs: number) => void;
  /** The node answered with an error that is no refusal. */
  onUnexpected: (error: unknown) => void;
}): RedisNode {
  const { clock, onSilent, onEnd, onUnexpected } = options;
  const health = createNodeHealth(() => clock.now());
  let connection: Redis | undefined;
  const wire = createWire(() => connection);
  const replies = createReplies({
    clock,
    wire,
    onEnd,
    onSilent(silentMs) {
      health.silent();
      onSilent();
      if (silentMs >= DEAD_MS) wire.destroy();
    },
    failed,
  });
  /** When the probe was sent that has no reply yet. */
  let askedAt: number | undefined;
  let followed = false;

  /** What a failed command means, as the error to throw. */
  function failed(error: unknown): StoreUnavailableError {
    if (error instanceof StoreUnavailableError) return error;
    const reason = refusalReason(error);
    if (reason !== undefined) health.refused(reason);
    else if (isReply(error) && !isWrongType(error)) onUnexpected(error);
    const message = error instanceof Error ? error.message : String(error);
    return new StoreUnavailableError(`Redis: ${message}`, { cause: error });
  }

  function checkIfStuck(stuckSince: number): void {
    health.probed(Infinity);
    if (clock.now() - stuckSince >= STUCK_MS) wire.destroy();
  }

  return {
    health,
    replies,
    wire,
    get connection() {
      return connection;
    },
    follow(present) {
      if (connection !== present) askedAt = undefined;
      connection = present;
      // A cluster's client connects when a command comes: a new node is trusted until then.
      if (!present) health.lost();
      else if (!followed || present.status === 'ready') health.connected();
      followed = true;
    },
    async probe() {
      if (!connection) return undefined;
      if (askedAt !== undefined) {
        checkIfStuck(askedAt);
        return undefined;
      }
      const startedAt = clock.now();
      const sent = Date.now();
      askedAt = startedAt;
      wire.batch();
      try {
        const reply = connection.time();
        const answered = () => {
          if (askedAt === startedAt) askedAt = undefined;
        };
        reply.then(answered, answered);
        const [seconds, microseconds] = await replies.within(reply, PROBE_LIMIT_MS);
        health.connected();
        health.probed(clock.now() - startedAt);
        return Number(seconds) * 1000 + Number(microseconds) / 1000 - (sent + Date.now()) / 2;
      } catch {
        health.probed(Infinity);
        return undefined;
      }
    },
  };
}
