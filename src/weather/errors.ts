import { ExpectedError } from '../base/errors.js';
import { DAY_MS } from './time/durations.js';
import { printable } from '../text/printable.js';

/** A place that a client may have meant. A lookup of the city in the country finds a place. */
export interface SimilarPlace {
  city: string;
  /** As the client wrote it. */
  country: string;
}

/** No place has this name, or no place is near these coordinates: 400 "Geocoding failed". */
export class PlaceNotFoundError extends ExpectedError {
  override readonly name = 'PlaceNotFoundError';
  /** @param similar at most three places of the country with similar names, most likely first */
  constructor(
    message: string,
    readonly similar: SimilarPlace[] = [],
  ) {
    super(message);
  }
}

/**
 * Why one call to an upstream service failed.
 * - `unavailable`: no connection, timeout, 5xx, rejected redirect, or an open circuit breaker
 * - `quota`: 429. `retryAfterMs` is the time until the quota window ends
 * - `bad_answer`: the response is not as documented (not JSON, a wrong type, too large, 4xx)
 * - `over_budget`: no call was made, because the budget is used up
 * - `not_covered`: the service works, and says that it has no data for this point
 * - `no_data`: the service works, but its data for this point is now missing, old, or implausible
 * - `adapter_fault`: the code that reads the response threw another error: a bug in this service
 */
export type UpstreamFailureKind =
  | 'unavailable'
  | 'quota'
  | 'bad_answer'
  | 'over_budget'
  | 'not_covered'
  | 'no_data'
  | 'adapter_fault';

/** A message may contain text of the upstream service. */
const MAX_UPSTREAM_MESSAGE_LENGTH = 200;

/** A call to an upstream service failed. Clients never receive its message. */
export class UpstreamError extends ExpectedError {
  override readonly name = 'UpstreamError';
  /** The message without the name of the upstream. */
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
  /** The status of the response; undefined without one. */
  readonly status: number | undefined;
  /** @param text untrusted: the reason is its printable form */
  constructor(
    readonly upstream: string,
    readonly kind: UpstreamFailureKind,
    text: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined; status?: number } = {},
  ) {
    const start = `${upstream}: `;
    const reason = printable(text, MAX_UPSTREAM_MESSAGE_LENGTH - start.length - '…'.length);
    super(start + reason, { cause: options.cause });
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
  }
}

/** No provider responded, and no stale entry exists: 503 with `Retry-After`. */
export class ServiceUnavailableError extends ExpectedError {
  override readonly name: string = 'ServiceUnavailableError';
  /** Whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
  constructor(
    message: string,
    options: { cause?: unknown; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.retryAfterSeconds = Math.max(1, Math.ceil((options.retryAfterMs ?? 5000) / 1000));
  }
}

/** No configured provider has the data for the place: 503, but waiting does not help. */
export class NotOfferedError extends ServiceUnavailableError {
  override readonly name: string = 'NotOfferedError';
  constructor() {
    super('No weather provider has this data for this place', { retryAfterMs: DAY_MS });
  }
}

/** The client has started too many fetches, and no stale entry exists: 429 with `Retry-After`. */
export class FetchLimitError extends ServiceUnavailableError {}
