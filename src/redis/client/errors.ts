/** The levels of a condition, best first. */
export const WELL = 0;
/** It answers reads. */
export const REFUSES_WRITES = 1;
/** It is not asked, and no request waits for it. */
export const UNAVAILABLE = 2;

/** How a node is, and why. */
export interface Condition {
  level: typeof WELL | typeof REFUSES_WRITES | typeof UNAVAILABLE;
  reason?: string;
}

/** Why Redis is degraded. */
export interface Fault {
  reason: string;
  /** The code of the error behind it, such as `ECONNREFUSED`, or what to change. */
  detail?: string | undefined;
}

/** The condition that an error reply means, by its beginning. */
const MEANINGS: [start: string, level: Condition['level'], reason: string][] = [
  ['READONLY', REFUSES_WRITES, 'read_only'],
  ['OOM', REFUSES_WRITES, 'out_of_memory'],
  ['MISCONF', REFUSES_WRITES, 'cannot_persist'],
  ['NOREPLICAS', REFUSES_WRITES, 'too_few_replicas'],
  ['LOADING', UNAVAILABLE, 'loading'],
  ['BUSY ', UNAVAILABLE, 'busy'],
  ['MASTERDOWN', UNAVAILABLE, 'no_master'],
  ['CLUSTERDOWN', UNAVAILABLE, 'cluster_down'],
  ['NOAUTH', UNAVAILABLE, 'wrong_password'],
  ['WRONGPASS', UNAVAILABLE, 'wrong_password'],
];

const startsWith = (error: unknown, start: string): boolean =>
  (error instanceof Error ? error.message : String(error)).startsWith(start);

/** The condition of a node by its error reply; undefined when the reply says nothing about it. */
export function conditionBy(error: unknown): Condition | undefined {
  const [, level, reason] = MEANINGS.find(([start]) => startsWith(error, start)) ?? [];
  return level === undefined || reason === undefined ? undefined : { level, reason };
}

/** An error that Redis itself answered, such as a fault in a script: not an outage. */
export function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** An error reply that somebody must look at: neither garbage under a key nor a key that moves. */
export function isUnexpected(error: unknown): boolean {
  return isReply(error) && !['WRONGTYPE', 'TRYAGAIN'].some((start) => startsWith(error, start));
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
  const code: unknown = Reflect.get(cause, 'code');
  const detail = typeof code === 'string' ? code : CODE.exec(message)?.[0];
  if (/certificate/i.test(message)) return { reason: 'wrong_certificate', detail };
  return { reason: conditionBy(message)?.reason ?? 'no_connection', detail };
}

/** The name of a kind of key, or the tag that begins the names of the queue's keys. */
const KIND = /^(?:\{[^}]*\}|[^:{]*:[^:{]*:)/;
/** What all names of a deployment begin with. */
const PREFIX = /^\{?([^:]*)/;
/** A refused command: outside of scripts, and in scripts before Redis 7.2. */
const FORBIDDEN = /^(?:NOPERM|ERR The user executing the script can't)\b/;
/** When Redis refuses a command in a script, it does not name the command. */
const ALL_COMMANDS = '+@all -@admin -@dangerous';

/**
 * The rule that the user of this connection lacks; undefined when the error is about something else.
 * @param name the key or the channel that the command was about
 */
export function missingRule(error: unknown, name: string): string | undefined {
  const { message } = error as Error;
  if (!isReply(error) || !FORBIDDEN.test(message)) return undefined;
  const [, command] = /run the '([^']+)' command/.exec(message) ?? [];
  if (command !== undefined) return `+${command}`;
  if (/\bkeys?\b/.test(message)) return `~${KIND.exec(name)?.[0] ?? name}*`;
  if (/\bchannels?\b/.test(message)) return `&${PREFIX.exec(name)?.[1] ?? name}:*`;
  return ALL_COMMANDS;
}
