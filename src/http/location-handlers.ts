import compose from 'koa-compose';
import { hash } from 'node:crypto';
import type { Kind } from '../weather/kind.js';
import type { Located, Locator } from '../weather/location.js';
import type { Lookup, LookupResult } from '../weather/lookup.js';
import type { Clock } from '../weather/types.js';
import { readJsonObject } from './json-body.js';
import type { AppContext, AppMiddleware, LocationFields } from './context.js';
import { loggable } from './middleware/access-log.js';
import type { RequestSessions } from './middleware/session-cookie.js';
import { notModified } from './not-modified.js';
import { createPlaceQueries } from './place-queries.js';
import { setHeaders } from './set-headers.js';
import { isBounded, queryOf } from './request-target.js';
import { placeFromBody, pointFromQuery, type PlaceInput } from './validate.js';

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

/** The result of a lookup, and the members of the response body after `location`. */
interface Found<Value> {
  result: LookupResult<Value>;
  members: object;
}

/** The location in the log record of a request, as far as it can be read before the middleware. */
type RequestedLocation = Omit<LocationFields, 'kind'>;

/** A request about a location. */
type LocationContext = AppContext & { state: { location: LocationFields } };

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

  /** Runs first: a rejected request has a record, too, with its location as far as it can be read without a body. */
  const startRecord =
    (kind: string, fieldsOf: (ctx: AppContext) => RequestedLocation): AppMiddleware =>
    (ctx, next) => {
      ctx.state.location = { kind, ...fieldsOf(ctx) };
      return next();
    };

  function cityOfQuery(ctx: AppContext): RequestedLocation {
    const { target } = ctx.state;
    // A query that is too long is rejected after the rate limits, which count it.
    const { city, country } = queries.known(target) ?? (isBounded(target) ? queryOf(target) : {});
    return { city: loggable(city), country: loggable(country) };
  }

  async function cityOfBody(ctx: LocationContext): Promise<PlaceInput> {
    const body = await readJsonObject(ctx, bodyMs);
    const { city, country } = body;
    Object.assign(ctx.state.location, { city: loggable(city), country: loggable(country) });
    return placeFromBody(body);
  }

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

  function responder<Request, Value extends object, Options>(
    endpoint: LocationEndpoint<Request, Value, Options>,
  ) {
    return {
      /** If it throws, the search is not recorded. */
      async find(ctx: LocationContext, located: Located, options: Options): Promise<Found<Value>> {
        const result = await lookup(endpoint.kind, endpoint.requestOf(located), ctx.state.scope);
        const { value, provider } = result.entry;
        Object.assign(ctx.state.location, { cache: result.outcome, provider });
        return { result, members: endpoint.membersOf(value, options) };
      },
      respond(ctx: LocationContext, located: Located, { result, members }: Found<Value>): void {
        const { value } = result.entry;
        const { location } = located;
        const text = JSON.stringify({ location, ...members });
        const tag = `W/"${hash('sha1', text, 'base64')}"`;
        setResultHeaders(ctx, result);
        setHeaders(ctx, endpoint.headersOf(value, located));
        ctx.res.setHeader('ETag', tag);
        ctx.body = text;
        if (notModified(ctx, tag)) ctx.status = 304;
      },
    };
  }

  function byCity<Request, Value extends object, Options>(
    endpoint: LocationEndpoint<Request, Value, Options>,
    read: (ctx: LocationContext) => PlaceInput | Promise<PlaceInput>,
  ): AppMiddleware {
    const responses = responder(endpoint);
    return async function answerByCity(ctx: LocationContext) {
      const { city, country } = await read(ctx);
      Object.assign(ctx.state.location, { city, country });
      const options = endpoint.optionsOf(ctx);
      const located = await locator.byCity(city, country, ctx.state.scope);
      const found = await responses.find(ctx, located, options);
      await session.record(ctx, { placeKey: located.placeKey, city, country });
      responses.respond(ctx, located, found);
    } as AppMiddleware;
  }

  // Composed once: the router would compose the parts of a route for each request.
  return {
    /** Handles city and country in the query. */
    fromQuery: <Request, Value extends object, Options>(
      endpoint: LocationEndpoint<Request, Value, Options>,
    ) =>
      compose([
        startRecord(endpoint.kind.name, cityOfQuery),
        ...middleware,
        byCity(endpoint, (ctx) => queries.read(ctx.state.target)),
      ]),
    /** Handles city and country in a JSON body. */
    fromBody: <Request, Value extends object, Options>(
      endpoint: LocationEndpoint<Request, Value, Options>,
    ) =>
      compose([
        startRecord(endpoint.kind.name, () => ({ city: null, country: null })),
        ...middleware,
        byCity(endpoint, cityOfBody),
      ]),
    /** Handles coordinates in the query. The search is not recorded. */
    fromCoordinates<Request, Value extends object, Options>(
      endpoint: LocationEndpoint<Request, Value, Options>,
    ) {
      const responses = responder(endpoint);
      async function answerByCoordinates(ctx: LocationContext): Promise<void> {
        const point = pointFromQuery(queryOf(ctx.state.target));
        Object.assign(ctx.state.location, point);
        const options = endpoint.optionsOf(ctx);
        const located = locator.byCoordinates(point);
        const found = await responses.find(ctx, located, options);
        const { city, country } = located.location;
        Object.assign(ctx.state.location, { city, country });
        responses.respond(ctx, located, found);
      }
      return compose([
        startRecord(endpoint.kind.name, () => ({
          city: null,
          country: null,
          latitude: null,
          longitude: null,
        })),
        ...middleware,
        answerByCoordinates as AppMiddleware,
      ]);
    },
  };
}
