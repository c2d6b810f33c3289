import type Router from '@koa/router';
import etag from 'etag';
import { StoreUnavailableError } from '../../errors.js';
import type { Answer, CurrentWeather } from '../../weather/current-weather.js';
import type { RecentSearches } from '../../weather/searches.js';
import { loggable } from '../middleware/access-log.js';
import { readJsonObject } from '../body.js';
import type { AppContext, AppMiddleware, RequestState } from '../context.js';
import { notModified } from '../not-modified.js';
import { placeFromBody, placeFromQuery, pointFromQuery, type PlaceInput } from '../validate.js';

export interface WeatherRoutesOptions {
  weather: CurrentWeather;
  searches: RecentSearches;
  admit: AppMiddleware;
  session: AppMiddleware;
}

/** Weather by city (GET and POST) and by coordinates. */
export function weatherRoutes(router: Router<RequestState>, options: WeatherRoutesOptions): void {
  const { weather, searches, admit, session } = options;

  const byCity = (read: (ctx: AppContext) => Promise<PlaceInput>): AppMiddleware =>
    async function weatherByCity(ctx: AppContext) {
      const { city, country } = await read(ctx);
      Object.assign(fields(ctx), { city, country });
      const answer = await weather.byCity(city, country, ctx.state.scope);
      await remember(ctx, answer, { city, country });
      respond(ctx, answer);
    } as AppMiddleware;

  const fromQuery = byCity((ctx) => Promise.resolve(placeFromQuery(ctx.query)));
  const fromBody = byCity(async (ctx) => {
    const body = await readJsonObject(ctx);
    const { city, country } = body;
    Object.assign(fields(ctx), { city: loggable(city), country: loggable(country) });
    return placeFromBody(body);
  });

  async function byCoordinates(ctx: AppContext): Promise<void> {
    Object.assign(fields(ctx), { latitude: null, longitude: null });
    const point = pointFromQuery(ctx.query);
    Object.assign(fields(ctx), point);
    const answer = await weather.byCoordinates(point, ctx.state.scope);
    const { city, country } = answer.record.location;
    Object.assign(fields(ctx), { city, country });
    respond(ctx, answer);
  }

  /** A search that cannot be recorded is answered all the same. */
  async function remember(ctx: AppContext, answer: Answer, search: PlaceInput): Promise<void> {
    const { session: own, scope } = ctx.state;
    if (!own) return;
    try {
      await Promise.all([searches.add(own.id, answer.placeKey, search, scope), own.renew()]);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  for (const path of ['/api/v1/weather', '/api/weather']) {
    router.get(path, asWeatherRequest, admit, session, fromQuery);
    router.post(path, asWeatherRequest, admit, session, fromBody);
  }
  router.get(
    '/api/v1/weather/coordinates',
    asWeatherRequest,
    admit,
    session,
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

function fields(ctx: AppContext) {
  ctx.state.weather ??= { city: null, country: null };
  return ctx.state.weather;
}

function respond(ctx: AppContext, answer: Answer): void {
  Object.assign(fields(ctx), { cache: answer.cache, provider: answer.provider });
  const body = JSON.stringify(answer.record);
  ctx.set('X-Cache', answer.cache);
  ctx.set('Age', String(answer.ageSeconds));
  ctx.set('X-Weather-Provider', answer.provider);
  ctx.set('Cache-Control', 'private, no-cache');
  const tag = etag(body, { weak: true });
  ctx.set('ETag', tag);
  ctx.type = 'application/json';
  ctx.body = body;
  if (notModified(ctx, tag)) ctx.status = 304;
}
