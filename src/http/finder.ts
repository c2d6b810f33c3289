import { mapMaybePromise } from '../base/map-maybe-promise.js';
import { creditOf } from '../config/providers.js';
import { referenceTimeOf, type CacheEntry } from '../weather/cache-entry.js';
import { abilityOf } from '../weather/kinds/kinds.js';
import { pointRequest, type PointRequest } from '../weather/kinds/point.js';
import type { LocationMatch, Locator } from '../weather/location.js';
import type { CacheOutcome, Lookup } from '../weather/lookup.js';
import type { Scope } from '../weather/request-scope.js';
import type { Clock } from '../weather/types.js';
import type { LocationEndpoint, ResponseContext } from './endpoints/endpoint.js';
import type { LocationWay, RequestedBy } from './endpoints/location-ways.js';
import { readOptions } from './input/parameters.js';
import type { Input } from './input/validate.js';
import type { RequestLogFields } from './request-log-fields.js';

/** A valid query about a location that was found. */
export interface LocatedQuery {
  readonly endpoint: LocationEndpoint;
  readonly by: RequestedBy;
  readonly options: Record<string, unknown>;
  readonly located: LocationMatch;
  readonly request: PointRequest;
}

/** What was found for a query. HTTP response, tool result, and log record are views of it. */
export interface Found {
  readonly query: LocatedQuery;
  readonly entry: CacheEntry<unknown>;
  readonly outcome: CacheOutcome;
  /** Whole seconds since the data was fetched. */
  readonly ageSeconds: number;
  /** The current time in Unix milliseconds, by the clock for which the data was current. */
  readonly now: number;
}

export type Finder = ReturnType<typeof createFinder>;

/** Creates the functions that find the data for a query about a location. */
export function createFinder(options: { locator: Locator; lookup: Lookup; clock: Clock }) {
  const { locator, lookup, clock } = options;

  /** Finds the data for a query whose location is known. @throws ServiceUnavailableError */
  function findAgain(query: LocatedQuery, scope: Scope): Found | Promise<Found> {
    const { endpoint, request } = query;
    return mapMaybePromise(lookup(endpoint.kind, request, scope), ({ entry, outcome }) => {
      const ageMs = clock.monotonic() - entry.fetchedAt;
      const ageSeconds = Math.max(0, Math.floor(ageMs / 1000));
      return { query, entry, outcome, ageSeconds, now: referenceTimeOf(entry, clock) };
    });
  }

  return {
    findAgain,

    /** @throws InvalidInputError, PlaceNotFoundError, or ServiceUnavailableError */
    async find(
      endpoint: LocationEndpoint,
      way: LocationWay,
      input: Input,
      scope: Scope,
    ): Promise<Found> {
      const locate = way.read(input);
      const values = readOptions(endpoint.parameters, input);
      const located = await locate(locator, scope);
      const { point, timeZone, place } = located;
      const request = pointRequest(point, timeZone, place.elevation);
      return findAgain({ endpoint, by: way.by, options: values, located, request }, scope);
    },
  };
}

/** Returns what the members and the headers of a response are made of, besides the value. */
export function contextOf({ query, entry, now }: Found): ResponseContext<Record<string, unknown>> {
  const { options, located, endpoint } = query;
  const { provider } = entry;
  return { options, located, provider, credit: creditOf(provider, abilityOf(endpoint.kind)), now };
}

/** @throws ServiceUnavailableError if the value has nothing to show */
export function membersOf(found: Found): object {
  const { query, entry } = found;
  const { endpoint, located } = query;
  return {
    location: located.location,
    ...endpoint.membersOf(entry.value as object, contextOf(found)),
  };
}

/** Returns the log fields of a request whose location is not known. Never throws. */
export function logFieldsOfInput(
  { kind }: LocationEndpoint,
  way: LocationWay,
  input: Input,
): RequestLogFields {
  return { kind: kind.name, ...way.logFieldsOf(input) };
}

/** Returns the log fields of a query. */
export function logFieldsOfQuery({ endpoint, by, located }: LocatedQuery): RequestLogFields {
  const { city, country, latitude, longitude } = located.location;
  const { place } = located;
  return {
    kind: endpoint.kind.name,
    city,
    country,
    ...(by !== 'name' && { latitude, longitude }),
    ...(by === 'airport' && { code: place.code }),
    place: [place.city, place.region, place.countryCode].filter(Boolean).join(', '),
  };
}

/** Returns the log fields of a request for which data was found. */
export function logFieldsOf({ query, entry, outcome }: Found): RequestLogFields {
  return { ...logFieldsOfQuery(query), cache: outcome, provider: entry.provider };
}
