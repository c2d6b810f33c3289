import type Router from '@koa/router';
import compose from 'koa-compose';
import type { Answer, CurrentWeather } from '../../weather/current-weather.js';
import { loggable } from '../middleware/access-log.js';
import { readJsonObject } from '../body.js';
import type { AppContext, AppMiddleware, RequestState, WeatherFields } from '../context.js';
import type { RequestSessions } from '../middleware/session.js';
import { notModified } from '../not-modified.js';
import { setHeaders } from '../set-headers.js';
import { isBounded, queryOf } from '../target.js';
import { createWeatherBodies } from '../weather-body.js';
import { createPlaceQueries } from '../place-queries.js';
import { placeFromBody, pointFromQuery, type PlaceInput } from '../validate.js';

export interface WeatherRoutesOptions {
  weather: CurrentWeather;
  /** Run before each route, in this order. */
  guards: AppMiddleware[];
  session: Pick<RequestSessions, 'record'>;
  /** How long a client may take to send a body, in milliseconds. */
  bodyMs: number;
}

/** A request whose `weather_request` record has been begun by one of the `as…Request`. */
type WeatherContext = AppContext & { state: { weather: WeatherFields } };

/** Weather by city (GET and POST) and by coordinates. */
export function weatherRoutes(router: Router<RequestState>, options: WeatherRoutesOptions): void {
  const { weather, guards, session, bodyMs } = options;
  const bodyOf = createWeatherBodies();
  const queries = createPlaceQueries();

  /** What was asked before need not be parsed again. */
  const asCityRequest: AppMiddleware = (ctx, next) => {
    const { target } = ctx.state;
    // One that is too long is refused behind the limits, which count it.
    const { city, country } = queries.known(ctx) ?? (isBounded(target) ? queryOf(target) : {});
    ctx.state.weather = { city: loggable(city), country: loggable(country) };
    return next();
  };

  const asPointRequest: AppMiddleware = (ctx, next) => {
    ctx.state.weather = { city: null, country: null, latitude: null, longitude: null };
    return next();
  };

  const byCity = (read: (ctx: WeatherContext) => PlaceInput | Promise<PlaceInput>): AppMiddleware =>
    async function weatherByCity(ctx: WeatherContext) {
      const { city, country } = await read(ctx);
      Object.assign(ctx.state.weather, { city, country });
      const answer = await weather.byCity(city, country, ctx.state.scope);
      await session.record(ctx, { placeKey: answer.placeKey, city, country });
      respond(ctx, answer);
    } as AppMiddleware;

  const fromQuery = byCity((ctx) => queries.read(ctx));
  const fromBody = byCity(async (ctx) => {
    const body = await readJsonObject(ctx, bodyMs);
    const { city, country } = body;
    Object.assign(ctx.state.weather, { city: loggable(city), country: loggable(country) });
    return placeFromBody(body);
  });

  async function byCoordinates(ctx: WeatherContext): Promise<void> {
    const point = pointFromQuery(queryOf(ctx.state.target));
    Object.assign(ctx.state.weather, point);
    const answer = await weather.byCoordinates(point, ctx.state.scope);
    const { city, country } = answer.location;
    Object.assign(ctx.state.weather, { city, country });
    respond(ctx, answer);
  }

  function respond(ctx: WeatherContext, answer: Answer): void {
    const { cache, provider, attribution, code, isDay, ageSeconds } = answer;
    Object.assign(ctx.state.weather, { cache, provider });
    const { text, tag } = bodyOf(answer);
    setHeaders(ctx, {
      'X-Cache': cache,
      Age: String(ageSeconds),
      'X-Weather-Provider': provider,
      'X-Weather-Is-Day': isDay ? '1' : '0',
      'Cache-Control': 'private, no-cache',
      'Content-Type': 'application/json; charset=utf-8',
      ETag: tag,
    });
    if (attribution !== undefined) ctx.set('X-Weather-Attribution', attribution);
    if (code !== undefined) ctx.set('X-Weather-Code', String(code));
    ctx.body = text;
    if (notModified(ctx, tag)) ctx.status = 304;
  }

  // Joined once: the router would join the parts of a route anew for each request.
  const joined = (...parts: AppMiddleware[]) => compose(parts);
  const get = joined(asCityRequest, ...guards, fromQuery);
  const post = joined(asBodyRequest, ...guards, fromBody);
  for (const path of ['/api/v1/weather', '/api/weather']) router.get(path, get).post(path, post);
  router.get(
    '/api/v1/weather/coordinates',
    joined(asPointRequest, ...guards, byCoordinates as AppMiddleware),
  );
}

/**
 * Before the limits: a refused request leaves its `weather_request` record too, with what it asked
 * for as far as that is known without reading a body.
 */
const asBodyRequest: AppMiddleware = (ctx, next) => {
  ctx.state.weather = { city: null, country: null };
  return next();
};
