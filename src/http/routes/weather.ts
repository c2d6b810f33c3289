import type Router from '@koa/router';
import { ifUnavailable } from '../../errors.js';
import type { Answer, CurrentWeather } from '../../weather/current-weather.js';
import { loggable } from '../middleware/access-log.js';
import { readJsonObject } from '../body.js';
import type { AppContext, AppMiddleware, RequestState, WeatherFields } from '../context.js';
import { notModified } from '../not-modified.js';
import { setHeaders } from '../set-headers.js';
import { createWeatherBodies } from '../weather-body.js';
import { placeFromBody, placeFromQuery, pointFromQuery, type PlaceInput } from '../validate.js';

export interface WeatherRoutesOptions {
  weather: CurrentWeather;
  /** Run before each route, in this order. */
  guards: AppMiddleware[];
  /** How long a client may take to send a body, in milliseconds. */
  bodyMs: number;
}

/** A request whose `weather_request` record has been begun by `asWeatherRequest`. */
type WeatherContext = AppContext & { state: { weather: WeatherFields } };

/** Weather by city (GET and POST) and by coordinates. */
export function weatherRoutes(router: Router<RequestState>, options: WeatherRoutesOptions): void {
  const { weather, guards, bodyMs } = options;
  const bodyOf = createWeatherBodies();

  const byCity = (read: (ctx: WeatherContext) => Promise<PlaceInput>): AppMiddleware =>
    async function weatherByCity(ctx: WeatherContext) {
      const { city, country } = await read(ctx);
      Object.assign(ctx.state.weather, { city, country });
      const answer = await weather.byCity(city, country, ctx.state.scope);
      const { placeKey } = answer;
      const recorded = ctx.state.session?.record({ placeKey, city, country });
      // A search that cannot be recorded is answered all the same.
      if (recorded) await ifUnavailable(recorded, undefined);
      respond(ctx, answer);
    } as AppMiddleware;

  const fromQuery = byCity((ctx) => Promise.resolve(placeFromQuery(ctx.query)));
  const fromBody = byCity(async (ctx) => {
    const body = await readJsonObject(ctx, bodyMs);
    const { city, country } = body;
    Object.assign(ctx.state.weather, { city: loggable(city), country: loggable(country) });
    return placeFromBody(body);
  });

  async function byCoordinates(ctx: WeatherContext): Promise<void> {
    Object.assign(ctx.state.weather, { latitude: null, longitude: null });
    const point = pointFromQuery(ctx.query);
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

  for (const path of ['/api/v1/weather', '/api/weather']) {
    router.get(path, asWeatherRequest, ...guards, fromQuery);
    router.post(path, asWeatherRequest, ...guards, fromBody);
  }
  router.get(
    '/api/v1/weather/coordinates',
    asWeatherRequest,
    ...guards,
    byCoordinates as AppMiddleware,
  );
}

/**
 * Before the limits: a refused request leaves its `weather_request` record too, with what it asked
 * for as far as that is known without reading a body.
 */
const asWeatherRequest: AppMiddleware = (ctx, next) => {
  const { city, country } = ctx.method === 'POST' ? {} : ctx.query;
  ctx.state.weather = { city: loggable(city), country: loggable(country) };
  return next();
};
