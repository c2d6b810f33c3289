import { isObject } from '../base/is-object.js';

/**
 * Maximum size of a value or message that is read, in bytes: more than five times the largest that this service writes.
 * Larger: values of a neighbor take more memory and CPU time.
 */
export const MAX_STORED_BYTES = 65_536;

/** Parses a JSON object from untrusted text. Returns undefined if the text is not JSON, or not an object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

interface Types {
  string: string;
  number: number;
}

/** Creates a check that a reply consists of elements of these types. */
export function replyOf<const Names extends readonly (keyof Types)[]>(...names: Names) {
  type Reply = { -readonly [I in keyof Names]: Types[Names[I]] };
  return (reply: unknown[]): reply is Reply & unknown[] =>
    reply.length === names.length && names.every((name, i) => typeof reply[i] === name);
}

/** Whether a value is a duration in milliseconds that a response header can contain. */
export function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1e15;
}
