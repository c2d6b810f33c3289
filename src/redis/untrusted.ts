/** Maximum bytes of a value or message that is read: five times the largest that is written. */
export const MAX_STORED_BYTES = 65_536;

/** Reads untrusted data. If the reading throws, the data is damaged: returns undefined. */
export function readUntrusted<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Parses untrusted text. Returns undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  return readUntrusted<unknown>(() => JSON.parse(text));
}

/** Whether a value is a duration in milliseconds that a response header can contain. */
export function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1e15;
}

/** Whether a value can be a fetch ID, or the name of a provider in a response header. */
export function isName(value: unknown): value is string {
  // A member of every object, such as "constructor", is no name: providers are members of one.
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value) && !(value in {});
}
