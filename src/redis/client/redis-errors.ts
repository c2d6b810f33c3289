/** Why Redis is unavailable. Records and metrics have these values. */
export type FaultReason =
  | 'no_connection'
  | 'no_reply'
  | 'authentication'
  | 'loading'
  | 'read_only'
  | 'out_of_memory'
  /** Redis rejects commands with another error message. */
  | 'refused';

/** Why Redis is unavailable, or takes no writes. */
export interface RedisFault {
  reason: FaultReason;
  /** The error message of Redis, of the connection, or of the timeout. */
  message: string;
}

/** The reasons of errors, by the beginning of their messages. */
const REASONS: [start: string, reason: FaultReason][] = [
  ['READONLY', 'read_only'],
  ['OOM', 'out_of_memory'],
  ['LOADING', 'loading'],
  ['NOAUTH', 'authentication'],
  ['WRONGPASS', 'authentication'],
  // A message of the library.
  ['Socket timeout', 'no_reply'],
];

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Whether an error is an error reply: Redis has received the command and has rejected it. */
export function isErrorReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** Whether an error reply is not caused by the state of Redis: the same command would fail again. */
export function isPermanent(error: unknown): boolean {
  return error instanceof Error && /^(?:ERR|NOPERM)\b/.test(error.message);
}

/** Whether an error reply says that Redis takes no writes. That lasts: the same write fails again within a second. */
export function isWriteRejection(error: unknown): boolean {
  const { reason } = faultOfReply(messageOf(error));
  return reason === 'read_only' || reason === 'out_of_memory';
}

/** The fault that an error reply reports. @param message the message of the reply */
export function faultOfReply(message: string): RedisFault {
  const [, reason = 'refused'] = REASONS.find(([start]) => message.startsWith(start)) ?? [];
  return { reason, message };
}

/** The text that ioredis puts before the error of a sentinel or of a cluster's node. */
const PREAMBLE = /^.*Last error: /s;

/** The code with which an error reply begins. */
const ERROR_CODE = /^[A-Z]{2,} /;

/** Why no connection could be made. @param error as the client emits it */
export function faultOfConnection(error: Error): RedisFault {
  const last: unknown = Reflect.get(error, 'lastNodeError');
  const cause = last instanceof Error ? last : error;
  const fault = faultOfReply(cause.message.replace(PREAMBLE, ''));
  const isOther = fault.reason === 'refused' && !ERROR_CODE.test(fault.message);
  return isOther ? { ...fault, reason: 'no_connection' } : fault;
}

/** Whether the access list (ACL) of Redis does not allow the command, key, or channel. */
export function isForbidden(error: unknown): boolean {
  return /^(?:NOPERM|ERR ACL failure|ERR The user executing the script can't)\b/.test(
    messageOf(error),
  );
}

/** Whether the access list does not allow a channel. */
export const isChannelForbidden = (error: unknown): boolean =>
  isForbidden(error) && /\bchannels?\b/.test(messageOf(error));

/** Error replies that are not logged: health checks report them, or they concern one key for a moment. */
export function isExpected(error: unknown): boolean {
  const message = messageOf(error);
  if (faultOfReply(message).reason !== 'refused') return true;
  return /^(?:WRONGTYPE|TRYAGAIN|NOSCRIPT|MASTERDOWN|CLUSTERDOWN|MISCONF|NOREPLICAS|BUSY|UNBLOCKED)\b/.test(
    message,
  );
}
