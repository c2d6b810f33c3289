import { StoreUnavailableError } from '../../base/errors.js';

/** Why Redis is unavailable, or takes no writes. Records have these values. */
export type FaultReason =
  | 'no_connection'
  | 'no_reply'
  | 'authentication'
  | 'loading'
  | 'read_only'
  | 'out_of_memory'
  /** Redis rejects commands with another error message. */
  | 'refused';

export interface RedisFault {
  reason: FaultReason;
  /** The error message of Redis, of the connection, or of the timeout. */
  message: string;
}

/** The fault of a connection about which nothing else is known. */
export const NO_CONNECTION: RedisFault = {
  reason: 'no_connection',
  message: 'Redis is not connected',
};

/** The message of ioredis for a connection that has ended. Another error has said why. */
export const CONNECTION_CLOSED = 'Connection is closed.';

/** A command has neither a reply nor an error reply. If it was sent, Redis may still run it. */
export class NoReplyError extends StoreUnavailableError {}

/** Creates the error for a reply that did not arrive in time. `faultOf` recognizes its message. */
export const lateReply = () => new NoReplyError('Redis did not reply in time');

export const WRONG_REPLY = 'Redis sent a reply to another command';

const REASONS: [start: RegExp, reason: FaultReason][] = [
  [/^READONLY /, 'read_only'],
  [/^OOM /, 'out_of_memory'],
  [/^LOADING /, 'loading'],
  [/^(?:NOAUTH|WRONGPASS) /, 'authentication'],
  // `Socket timeout` is a message of ioredis.
  [/^(?:Redis did not reply|Socket timeout)/, 'no_reply'],
  // Every other error reply also begins with a code.
  [/^[A-Z]{2,} /, 'refused'],
];

/** The text that ioredis puts before the error of a sentinel or of a cluster's node. */
const PREAMBLE = /^.*Last error: /s;

/** The message of a thrown value. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The fault that an error reply, a late reply, or an error of the connection reports. */
export function faultOf(error: Error): RedisFault {
  const message = messageOf(Reflect.get(error, 'lastNodeError') ?? error).replace(PREAMBLE, '');
  const [, reason = 'no_connection'] = REASONS.find(([start]) => start.test(message)) ?? [];
  return { reason, message };
}

/** Whether an error is an error reply: Redis has received the command and has rejected it. */
export function isErrorReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** Whether an error is a fault of code: of this service, or of a library. */
export function isFaultOfCode(error: unknown): boolean {
  return (
    error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  );
}

/**
 * Whether an error reply reports a fault of the service, of its permissions, or of a key of BullMQ,
 * so that Redis would reject the command again. Other error replies report the state of Redis.
 */
export function isUnexpected(error: unknown): boolean {
  return /^(?:ERR|NOPERM|WRONGTYPE)\b/.test(messageOf(error));
}

/** Creates the error for an error reply that a script has returned. */
export function errorReply(message: string): Error {
  return Object.assign(new Error(message), { name: 'ReplyError' });
}

/**
 * Whether the access list (ACL) of Redis forbids a command or a key. A forbidden channel does not
 * count: without messages, requests that wait for a fetch still read the cache entry.
 */
export function isForbidden(error: unknown): boolean {
  const message = messageOf(error);
  if (/\bchannels?\b/.test(message)) return false;
  return /^(?:NOPERM|ERR ACL failure|ERR The user executing the script can't)\b/.test(message);
}
