/** A kind of query for caches, jobs, and lookups. `fetcher.ts` registers its fetch and its TTL. */
export interface Kind<Request, Value> {
  /** Prefix of the kind's keys (lowercase letters, digits, hyphens), and `kind` in the log. */
  readonly name: string;
  /** Returns the request's part of the key. The function `keyOf` below adds the kind's name. */
  keyOf(request: Request): string;
  /** Validates the request in the data of a job. */
  isRequest(input: unknown): input is Request;
  /** Copies the known members of an untrusted cached value; undefined if it is of another kind. */
  readValue(input: unknown): Value | undefined;
  /** The value of a request that needs no call of a provider. Absent or undefined: none. */
  valueWithoutCall?(request: Request, now: number): Value | undefined;
  /**
   * Milliseconds, at least 0, until no part of a value may be served any more. Absent: no end.
   * @param now the reference time for the value, in milliseconds since the Unix epoch
   */
  remainingMs?(value: Value, now: number): number;
}

/** A kind of any types. Validate a request before it is passed to `keyOf`. */
export type AnyKind = Kind<unknown, unknown>;

/** The key for caching, deduplication, and messages: `<name of the kind>:<key within the kind>`. */
export function keyOf<Request>(kind: Kind<Request, unknown>, request: Request): string {
  return `${kind.name}:${kind.keyOf(request)}`;
}
