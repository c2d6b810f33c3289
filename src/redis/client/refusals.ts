import type { Fault } from './state-record.js';

/** Replies that mean "not now" or "no writes": the node lives, the command was refused. */
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

/** Why Redis refused, when the error is such a reply. */
export function refusalReason(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : String(error);
  return REFUSALS.find(([prefix]) => message.startsWith(prefix))?.[1];
}

/** What comes before the error of a sentinel or of a cluster's node. */
const PREAMBLE = /^.*Last error: /s;
/** An error's code within its message, as sentinels' errors have it. */
const CODE = /\bE[A-Z_]{4,}\b/;

/** Why no connection can be made: a wrong password or certificate, or what the error's code says. */
export function connectionFaultOf(error: Error): Fault {
  const last: unknown = Reflect.get(error, 'lastNodeError');
  const cause = last instanceof Error ? last : error;
  const message = cause.message.replace(PREAMBLE, '');
  const reason = refusalReason(message) ?? (/certificate/i.test(message) && 'wrong_certificate');
  const code: unknown = Reflect.get(cause, 'code');
  const detail = typeof code === 'string' ? code : CODE.exec(message)?.[0];
  return { reason: reason || 'no_connection', detail };
}

/** An error that Redis itself answered, such as a fault in a script: not an outage. */
export function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** Somebody else's value of another type is under the key: garbage, and no fault of a command. */
export function isWrongType(error: unknown): boolean {
  return isReply(error) && (error as Error).message.startsWith('WRONGTYPE');
}

/**
 * What Redis says is input: under a key with a value of another type there is nothing.
 * @throws what the read threw otherwise
 */
export async function nothingIfWrongType<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Error && isWrongType(error.cause)) return null;
    throw error;
  }
}
