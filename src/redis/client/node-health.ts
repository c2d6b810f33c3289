import { StoreUnavailableError } from '../../errors.js';
import { createTimeLimits, TimeLimitError, type TimeLimits } from './time-limit.js';

/** So many failed commands or slow probes in a row, and a node is left alone until a probe is quick. */
const THRESHOLD = 3;
/** A request asks Redis about four times: at this pace it would use up what it may wait in all. */
const SLOW_MS = 60;

/** Replies that say «not now» or «no writes»: the node lives, the command was refused. */
const REFUSALS: [prefix: string, reason: string][] = [
  ['READONLY', 'read_only'],
  ['OOM', 'out_of_memory'],
  ['MISCONF', 'cannot_persist'],
  ['NOREPLICAS', 'too_few_replicas'],
  ['LOADING', 'loading'],
  ['MASTERDOWN', 'no_master'],
  ['CLUSTERDOWN', 'cluster_down'],
  ['TRYAGAIN', 'resharding'],
  ['NOAUTH', 'wrong_password'],
  ['WRONGPASS', 'wrong_password'],
  ['NOPERM', 'no_permission'],
];

/**
 * The breaker in front of one Redis node. It opens when the node keeps silent or is slow, and closes
 * when a probe in the background is answered quickly: no request is spent on finding out.
 */
export interface NodeHealth {
  readonly open: boolean;
  /** The last command had no answer. */
  readonly suspect: boolean;
  readonly limits: TimeLimits;
  /** A command was answered. */
  answered(): void;
  /** A probe was answered, after so many milliseconds. */
  probed(tookMs: number): void;
  /** What a failed command means, as the error to throw on. */
  failed(error: unknown): StoreUnavailableError;
}

export function createNodeHealth(events: {
  opened(reason: string): void;
  refused(reason: string): void;
  unexpected(error: unknown): void;
}): NodeHealth {
  const limits = createTimeLimits();
  let silent = 0;
  let slow = 0;
  let open = false;

  function openWhen(condition: boolean, reason: string): void {
    if (!condition || open) return;
    open = true;
    events.opened(reason);
  }

  return {
    limits,
    get open() {
      return open;
    },
    get suspect() {
      return silent > 0;
    },
    answered() {
      silent = 0;
    },
    probed(tookMs) {
      silent = 0;
      slow = tookMs > SLOW_MS ? slow + 1 : 0;
      openWhen(slow >= THRESHOLD, 'slow');
      if (slow === 0) open = false;
    },
    failed(error) {
      if (error instanceof TimeLimitError) {
        silent += 1;
        openWhen(silent >= THRESHOLD, 'no_answer');
        return error;
      }
      if (error instanceof StoreUnavailableError) return error;
      const message = error instanceof Error ? error.message : String(error);
      const reason = refusalReason(error);
      if (reason !== undefined) events.refused(reason);
      else if (isReply(error)) events.unexpected(error);
      return new StoreUnavailableError(`Redis: ${message}`, { cause: error });
    },
  };
}

/** Why Redis refused, when the error is such a reply. */
export function refusalReason(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : String(error);
  return REFUSALS.find(([prefix]) => message.startsWith(prefix))?.[1];
}

/** An error that Redis itself answered, such as a fault in a script: not an outage. */
function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}
