import { isObject } from '../is-object.js';

/** What Redis holds is input: each reader checks all that it uses, by these. */

/** The object that a JSON text holds; undefined when it is no JSON or no object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is a time in milliseconds that a header can tell in digits. */
export function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1e15;
}
