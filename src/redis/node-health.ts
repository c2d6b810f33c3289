import { StoreUnavailableError } from '../errors.js';
import { TimeLimitError } from './time-limit.js';

/** So many commands without an answer in a row, and a node is left alone until it answers a ping. */
const SILENCE_THRESHOLD = 3;

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
 * The breaker in front of one Redis node. It opens when the node keeps silent and closes when a
 * ping, sent in the background, is answered: no request is spent on finding out.
 */
export interface NodeHealth {
  readonly open: boolean;
  answered(): void;
  /** What a failed command means, as the error to throw on. */
  failed(error: unknown): StoreUnavailableError;
}

export function createNodeHealth(events: {
  opened(reason: string): void;
  closed(): void;
  refused(reason: string): void;
  unexpected(error: unknown): void;
}): NodeHealth {
  let silent = 0;
  let open = false;

  return {
    get open() {
      return open;
    },
    answered() {
      silent = 0;
      if (!open) return;
      open = false;
      events.closed();
    },
    failed(error) {
      if (error instanceof TimeLimitError) {
        silent += 1;
        if (silent >= SILENCE_THRESHOLD && !open) {
          open = true;
          events.opened('no_answer');
        }
        return error;
      }
      if (error instanceof StoreUnavailableError) return error;
      const message = error instanceof Error ? error.message : String(error);
      const refusal = REFUSALS.find(([prefix]) => message.startsWith(prefix));
      if (refusal) events.refused(refusal[1]);
      else if (isReply(error)) events.unexpected(error);
      return new StoreUnavailableError(`Redis: ${message}`, { cause: error });
    },
  };
}

/** An error that Redis itself answered, such as a fault in a script: not an outage. */
function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}
