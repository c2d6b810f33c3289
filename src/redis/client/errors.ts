import type { Logger } from '../../process/log.js';
import { TOLD_APART_MS } from './telling.js';

/** Why Redis is unavailable, or takes no writes. */
export interface Fault {
  reason: string;
  /** What to change, or the code of the error behind it, such as `ECONNREFUSED`. */
  detail?: string | undefined;
}

/** What a node says of itself with an error reply: it refuses commands, and why. */
export interface NodeState extends Fault {
  /** It still answers reads. */
  readsOnly?: true;
  /** Some commands still work, but nothing is well before the connection is made anew. */
  lasts?: true;
}

/** The state that an error reply means, by its beginning. */
const MEANINGS: [start: string, state: NodeState][] = [
  ['READONLY', { reason: 'read_only', readsOnly: true }],
  // Of a wait for a job, when its master becomes a replica.
  ['UNBLOCKED', { reason: 'read_only', readsOnly: true }],
  ['OOM', { reason: 'out_of_memory', readsOnly: true }],
  ['MISCONF', { reason: 'cannot_persist', readsOnly: true }],
  ['NOREPLICAS', { reason: 'too_few_replicas', readsOnly: true }],
  ['LOADING', { reason: 'loading' }],
  ['BUSY ', { reason: 'busy' }],
  ['MASTERDOWN', { reason: 'no_master' }],
  ['CLUSTERDOWN', { reason: 'cluster_down' }],
  ['NOAUTH', { reason: 'wrong_password' }],
  ['WRONGPASS', { reason: 'wrong_password' }],
  // A cluster's own client follows it.
  ['MOVED ', { reason: 'part_of_a_cluster', lasts: true }],
  ['ERR This instance has cluster support disabled', { reason: 'no_cluster' }],
  ["ERR unknown command 'sentinel'", { reason: 'no_sentinel' }],
  // The only kind of Redis that runs no scripts.
  ["ERR unknown command 'eval", { reason: 'a_sentinel' }],
  ['ERR DB index is out of range', { reason: 'no_such_database' }],
  ['ERR max number of clients reached', { reason: 'too_many_connections' }],
  ['DENIED ', { reason: 'protected_mode' }],
  // What the library says of a connection that it ends.
  ['Socket timeout', { reason: 'no_answer' }],
];

/** What an operator must change, by the reason. */
const REMEDIES: Partial<Record<string, string>> = {
  part_of_a_cluster: 'name its nodes in REDIS_CLUSTER_NODES instead of REDIS_URL',
  no_cluster: 'use REDIS_URL instead of REDIS_CLUSTER_NODES',
  no_sentinel: 'REDIS_SENTINELS names a server that is no sentinel',
  a_sentinel: 'REDIS_URL names a sentinel: use REDIS_SENTINELS and REDIS_SENTINEL_MASTER',
  no_such_database: 'REDIS_URL names a database that the server does not have',
  protected_mode: 'give Redis a password',
  too_many_connections: 'raise maxclients of Redis, or run fewer processes',
};

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The state of a node by its error reply; undefined when the reply says nothing about it. */
export function stateBy(error: unknown): NodeState | undefined {
  const [, state] = MEANINGS.find(([start]) => messageOf(error).startsWith(start)) ?? [];
  return state && { ...state, detail: REMEDIES[state.reason] };
}

/** An error that Redis itself answered, such as a fault in a script: not an outage. */
export function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** Redis has forgotten the script, and so has run nothing. */
export function isScriptForgotten(error: unknown): boolean {
  return messageOf(error).startsWith('NOSCRIPT');
}

/** One address in front of several servers refuses a command with keys of more than one of them. */
export function isCrossSlot(error: unknown): boolean {
  return messageOf(error).startsWith('CROSSSLOT');
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
  const state = stateBy(message);
  return { reason: state?.reason ?? 'no_connection', detail: state?.detail ?? detail };
}

/** The name of a kind of key, or the tag that begins the names of the queue's keys. */
const KIND = /^(?:\{[^}]*\}|[^:{]*:[^:{]*:)/;
/** What all names of a deployment begin with. */
const PREFIX = /^\{?([^:]*)/;
/** A refused command: outside of scripts, in scripts, and in scripts of Redis 7.0. */
const FORBIDDEN = /^(?:NOPERM|ERR ACL failure in script|ERR The user executing the script can't)\b/;
/** When Redis 7.0 refuses a command in a script, it does not name the command. */
const ALL_COMMANDS = '+@all -@admin -@dangerous';

/**
 * The rule that the user of this connection lacks; undefined when the error is about something else.
 * @param name the key or the channel that the command was about
 */
export function missingRule(error: unknown, name: string): string | undefined {
  const message = messageOf(error);
  if (!isReply(error) || !FORBIDDEN.test(message)) return undefined;
  const [, command] = /run the '([^']+)' command/.exec(message) ?? [];
  if (command !== undefined) return `+${command}`;
  if (/\bkeys?\b/.test(message)) return `~${KIND.exec(name)?.[0] ?? name}*`;
  if (/\bchannels?\b/.test(message)) return `&${PREFIX.exec(name)?.[1] ?? name}:*`;
  return ALL_COMMANDS;
}

/** Nobody must look at these: garbage under a key, and a key that moves to another node. */
const EXPECTED = /^(?:WRONGTYPE|TRYAGAIN)/;

/** Logs error replies of Redis: each missing rule once, all others once in 30 s. */
export function createErrorReports(log: Logger) {
  const rules = new Set<string>();
  let refused = { rule: '', at: -Infinity };
  let loggedAt = -Infinity;
  let count = 0;
  return {
    /**
     * @param name the key or the channel that the command was about
     * @returns whether a rule of the access list is missing
     */
    report: (error: unknown, name: string): boolean => {
      const now = performance.now();
      const rule = missingRule(error, name);
      if (rule !== undefined) {
        // Without the channel all places are still fetched, only later.
        if (!rule.startsWith('&')) refused = { rule, at: now };
        if (rules.has(rule)) return true;
        rules.add(rule);
        log.error({ event: 'redis_permission_missing', rule, name, err: error });
        return true;
      }
      if (!isReply(error) || EXPECTED.test(messageOf(error))) return false;
      count += 1;
      if (now - loggedAt < TOLD_APART_MS) return false;
      log.error({ event: 'redis_error', name, count, err: error });
      loggedAt = now;
      count = 0;
      return false;
    },
    /** A rule of the access list without which a command was refused a moment ago. */
    missing: () => (performance.now() - refused.at < TOLD_APART_MS ? refused.rule : undefined),
  };
}
