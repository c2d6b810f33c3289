import { hash } from 'node:crypto';
import { presentOf, type CacheEntry } from '../weather/cache-entry.js';
import type { LocationMatch, Locator } from '../weather/location.js';
import type { Lookup } from '../weather/lookup.js';
import { pointKey, pointRequest } from '../weather/point.js';
import type { Scope } from '../weather/request-scope.js';
import type { Clock, Point } from '../weather/types.js';
import { jsonAnswer, type Answer, type LogFields } from './answer.js';
import type { AppContext } from './context.js';
import type { LocationEndpoint, RequestedBy, ResponseContext } from './endpoints/endpoint.js';
import { errorAnswer } from './error-answers.js';
import { readJsonObject } from './json-body.js';
import { loggable } from './loggable.js';
import { readOptions } from './parameters.js';
import { createPlaceQueries } from './place-queries.js';
import { publicHeaders } from './public-headers.js';
import { isBounded, queryOf, type Target } from './request-target.js';
import { placeFrom, pointFromQuery, type PlaceInput } from './validate.js';

export type LocationAnswers = ReturnType<typeof createLocationAnswers>;

/**
 * Creates the answers to requests about a location: each validates, finds the location, looks up the value, and makes the
 * answer. Neither limits nor sessions are a part of it.
 */
export function createLocationAnswers(options: {
  locator: Locator;
  lookup: Lookup;
  /** Returns the credit that a provider requires as one line; undefined for a provider that this version does not know. */
  attributionOf: (provider: string) => string | undefined;
  creditOf: ResponseContext<unknown>['creditOf'];
  timeZoneAt: ResponseContext<unknown>['timeZoneAt'];
  /** Milliseconds that a client has to send a body. */
  bodyMs: number;
  clock: Clock;
}) {
  const { locator, lookup, attributionOf, creditOf, timeZoneAt, bodyMs, clock } = options;
  const queries = createPlaceQueries();

  /**
   * Answers a request. Never throws.
   * @param fields the fields of the log record so far. What is found out about the location is added
   * @param read reads and validates the location
   */
  async function answer<Input extends PlaceInput | Point>(
    endpoint: LocationEndpoint,
    target: Target,
    scope: Scope,
    source: { isPublic: boolean; fields: LogFields; read: () => Input | Promise<Input> },
  ): Promise<Answer> {
    const record = source.fields;
    try {
      const input = await source.read();
      Object.assign(record, 'city' in input ? namesOf(input) : input);
      const options = readOptions(endpoint.parameters, target);
      const located = await locate(input, scope);
      const { entry, outcome } = await lookup(endpoint.kind, pointRequest(located.point), scope);
      const { city, country } = located.location;
      const { value, provider } = entry;
      Object.assign(record, { city, country, cache: outcome, provider });
      const now = presentOf(entry, clock);
      const context = { options, located, provider, now, creditOf, timeZoneAt };
      const members = endpoint.membersOf(value, context);
      const text = JSON.stringify({ location: located.location, ...members });
      const tag = `W/"${hash('sha1', text, 'base64')}"`;
      const headers = {
        'X-Cache': outcome,
        'X-Weather-Provider': provider,
        'X-Weather-Attribution': attributionOf(provider),
        ...cachingHeaders(entry, source.isPublic),
        ...endpoint.headers?.valuesOf(value, context),
        ETag: tag,
      };
      const made = { ...jsonAnswer(200, text, headers), tag, record };
      // Searches by coordinates are not recorded.
      if (!('city' in input)) return made;
      return { ...made, search: { placeKey: pointKey(located.point), city, country } };
    } catch (error) {
      return { ...errorAnswer(error, target), record };
    }
  }

  function locate(input: PlaceInput | Point, scope: Scope): LocationMatch | Promise<LocationMatch> {
    if (!('city' in input)) return locator.byCoordinates(input);
    return locator.byCity(input.city, input.country, scope);
  }

  /**
   * Returns `Age` and `Cache-Control`. The lifetime of public data begins with its fetch, as `Age` does, so it is the same
   * for stale data: a cache sees by its age that it must ask again.
   */
  function cachingHeaders(entry: CacheEntry<unknown>, isPublic: boolean): Record<string, string> {
    const { fetchedAt, freshUntil, staleUntil } = entry;
    const ageSeconds = Math.max(0, Math.floor((clock.monotonic() - fetchedAt) / 1000));
    if (!isPublic) return { Age: String(ageSeconds), 'Cache-Control': 'private, no-cache' };
    // Whole seconds, as `Age` has them: rounded up, stale data could seem fresh. One millisecond is for rounding errors.
    const seconds = (from: number, until: number) => Math.floor((until - from + 1) / 1000);
    const lifetimeSeconds = seconds(fetchedAt, freshUntil);
    const staleSeconds = seconds(freshUntil, staleUntil);
    return publicHeaders({ ageSeconds, lifetimeSeconds, staleSeconds }, clock.now());
  }

  /** Returns the log fields of a request whose query names its location, before anything is validated. Never throws. */
  function fieldsOf(endpoint: LocationEndpoint, by: RequestedBy, target: Target): LogFields {
    const about = { event: 'weather_request', kind: endpoint.kind.name } as const;
    if (by === 'coordinates') {
      return { ...about, city: null, country: null, latitude: null, longitude: null };
    }
    const known = queries.known(target);
    if (known) return { ...about, ...namesOf(known) };
    // A query that is too long is rejected after the rate limits, which count it.
    const { city, country } = isBounded(target) ? queryOf(target) : {};
    return { ...about, city: loggable(city), country: loggable(country) };
  }

  const withoutNames = ({ kind }: LocationEndpoint): LogFields => ({
    ...{ event: 'weather_request', kind: kind.name, city: null, country: null },
  });

  return {
    fieldsOf,

    /** The log fields of a request whose body names its location, before the body is read. */
    fieldsOfBody: withoutNames,

    /** Answers a request whose query names its location. Never throws. */
    toQuery(
      endpoint: LocationEndpoint,
      by: RequestedBy,
      target: Target,
      scope: Scope,
    ): Promise<Answer> {
      const fields = fieldsOf(endpoint, by, target);
      const isPublic = endpoint.publicFor.includes(by);
      const read = () => (by === 'name' ? queries.read(target) : pointFromQuery(queryOf(target)));
      return answer(endpoint, target, scope, { isPublic, fields, read });
    },

    /** Answers a request whose JSON body names a city and its country. Never throws. */
    toBody(endpoint: LocationEndpoint, ctx: AppContext): Promise<Answer> {
      const { target, scope } = ctx.state;
      const fields = withoutNames(endpoint);
      const read = async () => {
        const members = await readJsonObject(ctx, bodyMs);
        const { city, country } = members;
        Object.assign(fields, { city: loggable(city), country: loggable(country) });
        return placeFrom(members, 'fields');
      };
      return answer(endpoint, target, scope, { isPublic: false, fields, read });
    },
  };
}

function namesOf({ city, country }: PlaceInput): LogFields {
  return { city: city.shown, country: country.shown };
}
