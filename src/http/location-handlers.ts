import compose from 'koa-compose';
import { hash } from 'node:crypto';
import type { Kind } from '../weather/kind.js';
import type { Located, Locator } from '../weather/location.js';
import type { Lookup, LookupResult } from '../weather/lookup.js';
import type { Scope } from '../weather/request-scope.js';
import type { Clock, Point } from '../weather/types.js';
import { readJsonObject } from './json-body.js';
import type { AppContext, AppMiddleware, LocationFields } from './context.js';
import { loggable } from './middleware/access-log.js';
import type { RequestSessions } from './middleware/session-cookie.js';
import { notModified } from './not-modified.js';
import { createPlaceQueries } from './place-queries.js';
import { setHeaders } from './set-headers.js';
import { isBounded, queryOf } from './request-target.js';
import { placeFrom, pointFromQuery, type PlaceInput } from './validate.js';

/** The parts in which the endpoints about a location differ. One object per endpoint. */
export interface LocationEndpoint<Request, Value extends object, Options> {
  kind: Kind<Request, Value>;
  requestOf(located: Located): Request;
  /** The parameters that only this endpoint has. @throws InvalidInputError */
  optionsOf(ctx: AppContext): Options;
  /** The members of the response body after `location`. @throws ServiceUnavailableError if the value has nothing to show */
  membersOf(value: Value, options: Options): object;
  /** Response headers in addition to those about session, cache, and provider. */
  headersOf(value: Value, located: Located): Record<string, string>;
}

/** The location in the log record of a request, as far as it can be read before the middleware. */
type RequestedLocation = Omit<LocationFields, 'kind'>;

/** A request about a location. */
type LocationContext = AppContext & { state: { location: LocationFields } };

/** The parts in which requests by name and by coordinates differ. */
interface LocationSource<Input extends PlaceInput | Point> {
  /** Reads the location for the log record before anything is validated. Never throws. */
  logged(ctx: AppContext): RequestedLocation;
  /** Reads and validates the location. @throws InvalidInputError */
  read(ctx: LocationContext): Input | Promise<Input>;
  /** The fields of the log record for a valid input. */
  fieldsOf(input: Input): Partial<LocationFields>;
  locate(input: Input, scope: Scope): Located | Promise<Located>;
  /** Runs before the response, if the value was found. */
  found(ctx: LocationContext, located: Located): void | Promise<void>;
}

export type LocationHandlers = ReturnType<typeof createLocationHandlers>;

/**
 * Creates the handlers of endpoints that respond about a location. A handler starts the log record of the request, runs
 * the middleware, validates, finds the location, looks up the value, records the search, and responds, with 304 on a match.
 */
export function createLocationHandlers(options: {
  locator: Locator;
  lookup: Lookup;
  /** The attribution that a provider requires; undefined for a provider that this version does not know. */
  attributionOf: (provider: string) => string | undefined;
  /** Run before the location is read, in this order. */
  middleware: AppMiddleware[];
  session: Pick<RequestSessions, 'record'>;
  /** Milliseconds that a client has to send a body. */
  bodyMs: number;
  clock: Clock;
}) {
  const { locator, lookup, attributionOf, middleware, session, bodyMs, clock } = options;
  const queries = createPlaceQueries();

  const byName: Pick<LocationSource<PlaceInput>, 'fieldsOf' | 'locate' | 'found'> = {
    fieldsOf: ({ city, country }) => ({ city: city.shown, country: country.shown }),
    locate: ({ city, country }, scope) => locator.byCity(city, country, scope),
    found: (ctx, { placeKey, location: { city, country } }) =>
      session.record(ctx, { placeKey, city, country }),
  };

  const query: LocationSource<PlaceInput> = {
    ...byName,
    logged(ctx) {
      const { target } = ctx.state;
      // A query that is too long is rejected after the rate limits, which count it.
      const { city, country } = queries.known(target) ?? (isBounded(target) ? queryOf(target) : {});
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
    logged: () => ({ city: null, country: null, latitude: null, longitude: null }),
    read: (ctx) => pointFromQuery(queryOf(ctx.state.target)),
    fieldsOf: (point) => point,
    locate: (point) => locator.byCoordinates(point),
    found(ctx, { location: { city, country } }) {
      Object.assign(ctx.state.location, { city, country });
    },
  };

  function setResultHeaders({ res }: AppContext, { entry, outcome }: LookupResult<unknown>): void {
    const { provider, fetchedAt } = entry;
    const attribution = attributionOf(provider);
    const ageSeconds = Math.floor((clock.monotonic() - fetchedAt) / 1000);
    res.setHeader('X-Cache', outcome);
    res.setHeader('Age', String(Math.max(0, ageSeconds)));
    res.setHeader('X-Weather-Provider', provider);
    if (attribution !== undefined) res.setHeader('X-Weather-Attribution', attribution);
    res.setHeader('Cache-Control', 'private, no-cache');
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
  }

  function handlerOf<Input extends PlaceInput | Point>(source: LocationSource<Input>) {
    return <Request, Value extends object, Options>(
      endpoint: LocationEndpoint<Request, Value, Options>,
    ): AppMiddleware => {
      /** Runs first, because a rejected request has a record, too. */
      const startRecord: AppMiddleware = (ctx, next) => {
        ctx.state.location = { kind: endpoint.kind.name, ...source.logged(ctx) };
        return next();
      };

      async function respond(ctx: LocationContext): Promise<void> {
        const { location: fields, scope } = ctx.state;
        const input = await source.read(ctx);
        Object.assign(fields, source.fieldsOf(input));
        const options = endpoint.optionsOf(ctx);
        const located = await source.locate(input, scope);
        const result = await lookup(endpoint.kind, endpoint.requestOf(located), scope);
        const { value, provider } = result.entry;
        Object.assign(fields, { cache: result.outcome, provider });
        // If this throws, the search is not recorded.
        const members = endpoint.membersOf(value, options);
        await source.found(ctx, located);
        const text = JSON.stringify({ location: located.location, ...members });
        const tag = `W/"${hash('sha1', text, 'base64')}"`;
        setResultHeaders(ctx, result);
        setHeaders(ctx, endpoint.headersOf(value, located));
        ctx.res.setHeader('ETag', tag);
        ctx.body = text;
        if (notModified(ctx, tag)) ctx.status = 304;
      }

      // Composed once: the router would compose the parts of a route for each request.
      return compose([startRecord, ...middleware, respond as AppMiddleware]);
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
