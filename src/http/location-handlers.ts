import compose from 'koa-compose';
import { hash } from 'node:crypto';
import { presentOf, type CacheEntry } from '../weather/cache-entry.js';
import type { LocationMatch, Locator } from '../weather/location.js';
import type { Lookup, LookupResult } from '../weather/lookup.js';
import { pointKey, pointRequest } from '../weather/point.js';
import type { Scope } from '../weather/request-scope.js';
import type { Clock, Point } from '../weather/types.js';
import { readJsonObject } from './json-body.js';
import type { AppContext, AppMiddleware, LocationFields } from './context.js';
import { loggable } from './middleware/access-log.js';
import type { RequestSessions } from './middleware/session-cookie.js';
import { notModified } from './not-modified.js';
import { setPublic } from './public-response.js';
import { createPlaceQueries } from './place-queries.js';
import { setHeaders } from './set-headers.js';
import type { LocationEndpoint, RequestedBy, ResponseContext } from './endpoints/endpoint.js';
import { readOptions } from './parameters.js';
import { isBounded, queryOf } from './request-target.js';
import { placeFrom, pointFromQuery, type PlaceInput } from './validate.js';

/** The location in the log record of a request, as far as it can be read before the middleware. */
type RequestedLocation = Omit<LocationFields, 'kind'>;

/** A request about a location. */
type LocationContext = AppContext & { state: { location: LocationFields } };

/** The parts in which requests by name and by coordinates differ. */
interface LocationSource<Input extends PlaceInput | Point> {
  by: RequestedBy;
  /** Reads the location for the log record before anything is validated. Never throws. */
  logged(ctx: AppContext): RequestedLocation;
  /** Reads and validates the location. @throws InvalidInputError */
  read(ctx: LocationContext): Input | Promise<Input>;
  /** The fields of the log record for a valid input. */
  fieldsOf(input: Input): Partial<LocationFields>;
  locate(input: Input, scope: Scope): LocationMatch | Promise<LocationMatch>;
  /** Records the search in the session of the request. Absent: such searches are not recorded. */
  record?(ctx: LocationContext, located: LocationMatch): Promise<void>;
}

export type LocationHandlers = ReturnType<typeof createLocationHandlers>;

/**
 * Creates the handlers of endpoints that respond about a location. A handler starts the log record of the request, runs
 * the middleware, validates, finds the location, looks up the value, records the search, and responds, with 304 on a match.
 */
export function createLocationHandlers(options: {
  locator: Locator;
  lookup: Lookup;
  /** Returns the credit that a provider requires as one line; undefined for a provider that this version does not know. */
  attributionOf: (provider: string) => string | undefined;
  creditOf: ResponseContext<unknown>['creditOf'];
  timeZoneAt: ResponseContext<unknown>['timeZoneAt'];
  /** Run before the location is read, in this order: for responses of a session, and for public responses. */
  middleware: { session: AppMiddleware[]; public: AppMiddleware[] };
  session: Pick<RequestSessions, 'record'>;
  /** Milliseconds that a client has to send a body. */
  bodyMs: number;
  clock: Clock;
}) {
  const { locator, lookup, attributionOf, creditOf, timeZoneAt } = options;
  const { middleware, session, bodyMs, clock } = options;
  const queries = createPlaceQueries();

  const namesOf = ({ city, country }: PlaceInput) => ({ city: city.shown, country: country.shown });

  const byName: Pick<LocationSource<PlaceInput>, 'by' | 'fieldsOf' | 'locate' | 'record'> = {
    by: 'name',
    fieldsOf: namesOf,
    locate: ({ city, country }, scope) => locator.byCity(city, country, scope),
    record: (ctx, { point, location: { city, country } }) =>
      session.record(ctx, { placeKey: pointKey(point), city, country }),
  };

  const query: LocationSource<PlaceInput> = {
    ...byName,
    logged(ctx) {
      const { target } = ctx.state;
      const known = queries.known(target);
      if (known) return namesOf(known);
      // A query that is too long is rejected after the rate limits, which count it.
      const { city, country } = isBounded(target) ? queryOf(target) : {};
      return { city: loggable(city), country: loggable(country) };
    },
    read: (ctx) => queries.read(ctx.state.target),
  };

  const body: LocationSource<PlaceInput> = {
    ...byName,
    logged: () => ({ city: null, country: null }),
    async read(ctx) {
      const members = await readJsonObject(ctx, bodyMs);
      const { city, country } = members;
      Object.assign(ctx.state.location, { city: loggable(city), country: loggable(country) });
      return placeFrom(members, 'fields');
    },
  };

  const coordinates: LocationSource<Point> = {
    by: 'coordinates',
    logged: () => ({ city: null, country: null, latitude: null, longitude: null }),
    read: (ctx) => pointFromQuery(queryOf(ctx.state.target)),
    fieldsOf: (point) => point,
    locate: (point) => locator.byCoordinates(point),
  };

  function setResultHeaders({ res }: AppContext, { entry, outcome }: LookupResult<unknown>): void {
    const { provider } = entry;
    const attribution = attributionOf(provider);
    res.setHeader('X-Cache', outcome);
    res.setHeader('X-Weather-Provider', provider);
    if (attribution !== undefined) res.setHeader('X-Weather-Attribution', attribution);
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
  }

  /**
   * Sets `Age` and `Cache-Control`. The lifetime of public data begins with its fetch, as `Age` does, so it is the same for
   * stale data: a cache sees by its age that it must ask again.
   */
  function setCaching(ctx: AppContext, entry: CacheEntry<unknown>, isPublic: boolean): void {
    const { fetchedAt, freshUntil, staleUntil } = entry;
    const ageSeconds = Math.max(0, Math.floor((clock.monotonic() - fetchedAt) / 1000));
    if (!isPublic) {
      ctx.res.setHeader('Age', String(ageSeconds));
      ctx.res.setHeader('Cache-Control', 'private, no-cache');
      return;
    }
    // Whole seconds, as `Age` has them: rounded up, stale data could seem fresh. One millisecond is for rounding errors.
    const seconds = (from: number, until: number) => Math.floor((until - from + 1) / 1000);
    const data = {
      ageSeconds,
      lifetimeSeconds: seconds(fetchedAt, freshUntil),
      staleSeconds: seconds(freshUntil, staleUntil),
    };
    setPublic(ctx, data, clock.now());
  }

  function handlerOf<Input extends PlaceInput | Point>(source: LocationSource<Input>) {
    return (endpoint: LocationEndpoint): AppMiddleware => {
      const isPublic = endpoint.publicFor.includes(source.by);

      /** Runs first, because a rejected request has a record, too. */
      const startRecord: AppMiddleware = (ctx, next) => {
        ctx.state.location = { kind: endpoint.kind.name, ...source.logged(ctx) };
        return next();
      };

      async function respond(ctx: LocationContext): Promise<void> {
        const { location: fields, scope } = ctx.state;
        const input = await source.read(ctx);
        Object.assign(fields, source.fieldsOf(input));
        const options = readOptions(endpoint.parameters, ctx.state.target);
        const located = await source.locate(input, scope);
        const result = await lookup(endpoint.kind, pointRequest(located.point), scope);
        const { value, provider } = result.entry;
        const { city, country } = located.location;
        Object.assign(fields, { city, country, cache: result.outcome, provider });
        const now = presentOf(result.entry, clock);
        const context = { options, located, provider, now, creditOf, timeZoneAt };
        // If this throws, the search is not recorded.
        const members = endpoint.membersOf(value, context);
        if (!isPublic) await source.record?.(ctx, located);
        const text = JSON.stringify({ location: located.location, ...members });
        const tag = `W/"${hash('sha1', text, 'base64')}"`;
        setResultHeaders(ctx, result);
        setCaching(ctx, result.entry, isPublic);
        if (endpoint.headers) setHeaders(ctx, endpoint.headers.valuesOf(value, context));
        ctx.res.setHeader('ETag', tag);
        ctx.body = text;
        if (notModified(ctx, tag)) ctx.status = 304;
      }

      // Composed once: the router would compose the parts of a route for each request.
      return compose([
        startRecord,
        ...middleware[isPublic ? 'public' : 'session'],
        respond as AppMiddleware,
      ]);
    };
  }

  return {
    /** Handles city and country in the query. */
    fromQuery: handlerOf(query),
    /** Handles city and country in a JSON body. */
    fromBody: handlerOf(body),
    /** Handles coordinates in the query. The search is not recorded. */
    fromCoordinates: handlerOf(coordinates),
  };
}
