import type Router from '@koa/router';
import compose from 'koa-compose';
import { PlaceNotFoundError } from '../../base/errors.js';
import type { Clock, Gazetteer, Place } from '../../weather/types.js';
import type { AppContext, AppMiddleware, RequestState } from '../context.js';
import { setPublic } from '../public-response.js';
import { queryOf } from '../request-target.js';
import { suggestionFromQuery } from '../validate.js';

/** One day: the gazetteer changes only with a release. */
const LIFETIME_SECONDS = 86_400;

/** Creates the handler of requests for suggestions. @param options `middleware` runs first, in order */
export function createSuggestionHandler(options: {
  suggest: Gazetteer['suggest'];
  middleware: AppMiddleware[];
  clock: Clock;
}): AppMiddleware {
  return compose<AppContext>([
    ...options.middleware,
    (ctx) => {
      const { q, country, limit } = suggestionFromQuery(queryOf(ctx.state.target));
      const suggestions = options.suggest(q, limit, country?.plain);
      if (!suggestions) {
        throw new PlaceNotFoundError(`No country is called '${country?.shown ?? ''}'.`);
      }
      setPublic(ctx, { ageSeconds: 0, lifetimeSeconds: LIFETIME_SECONDS }, options.clock.now());
      ctx.body = { places: suggestions.map(asJson) };
    },
  ]);
}

/** Serves suggestions for the beginning of a city name. */
export function suggestionRoutes(router: Router<RequestState>, handler: AppMiddleware): void {
  router.get('/api/v1/places', handler);
}

function asJson({ city, country, countryCode, region, latitude, longitude }: Place) {
  return { city, country, country_code: countryCode, region: region ?? null, latitude, longitude };
}
