import type { Ttl } from '../cache-entry.js';

/** A kind of query: what caches, jobs, and lookups must know. `fetcher.ts` registers how it is fetched, and its TTL. */
export interface Kind<Request, Value> {
  /** Prefix of the kind's keys: lowercase letters, digits, and hyphens. It is also `kind` in the log. */
  readonly name: string;
  /** Returns the part of the key that differs between the requests of the kind. The function `keyOf` adds the name. */
  keyOf(request: Request): string;
  /** Validates the request in the data of a job. */
  isRequest(input: unknown): input is Request;
  /**
   * Reads the untrusted value of a cache entry. Returns a copy with the known members; undefined if it is of another kind.
   */
  readValue(input: unknown): Value | undefined;
  /** The value of a request that is known without a call of a provider. Undefined, or absent: there is none. */
  valueWithoutCall?(request: Request, now: number): Value | undefined;
  /**
   * Milliseconds until no part of a value may be served any more, at least 0. Absent: it does not end by itself.
   * @param now the reference time for the value, in milliseconds since the Unix epoch
   */
  remainingMs?(value: Value, now: number): number;
}

/** A kind of any types. Validate a request before it is passed to `keyOf`. */
export type AnyKind = Kind<unknown, unknown>;

/** The part of a kind that reads its values. */
export type ValueKind<Value> = Pick<Kind<unknown, Value>, 'name' | 'readValue'>;

export interface Kinds extends ReadonlyMap<string, AnyKind> {
  /** The TTL of a value, as the configuration says. @param referenceTime see `UpstreamValue` */
  ttlOf(kind: ValueKind<unknown>, value: unknown, referenceTime: number | undefined): Ttl;
}

/** The key under which a request is cached, deduplicated, and published: `<name of the kind>:<key within the kind>`. */
export function keyOf<Request>(kind: Kind<Request, unknown>, request: Request): string {
  return `${kind.name}:${kind.keyOf(request)}`;
}
