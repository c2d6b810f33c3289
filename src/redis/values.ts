import { isObject } from '../is-object.js';

/** Parses a JSON object from untrusted text. Returns undefined if the text is not JSON, or not an object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is a duration in milliseconds that a response header can contain. */
export function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1e15;
}
