import type Router from '@koa/router';
import { PlaceNotFoundError } from '../../base/errors.js';
import type { Clock, Gazetteer, Place } from '../../weather/types.js';
import type { AppMiddleware, RequestState } from '../context.js';
import { setPublic } from '../public-response.js';
import { queryOf } from '../request-target.js';
import { suggestionFromQuery } from '../validate.js';

/** One day: the gazetteer changes only with a release. */
const LIFETIME_SECONDS = 86_400;

/** Serves suggestions for the beginning of a city name. @param options `middleware` runs first, in order */
export function suggestionRoutes(
  router: Router<RequestState>,
  options: { suggest: Gazetteer['suggest']; middleware: AppMiddleware[]; clock: Clock },
): void {
  router.get('/api/v1/places', ...options.middleware, (ctx) => {
    const { q, country, limit } = suggestionFromQuery(queryOf(ctx.state.target));
    const suggestions = options.suggest(q, limit, country?.plain);
    if (!suggestions) {
      throw new PlaceNotFoundError(`No country is called '${country?.shown ?? ''}'.`);
    }
    setPublic(ctx, { ageSeconds: 0, lifetimeSeconds: LIFETIME_SECONDS }, options.clock.now());
    ctx.body = { places: suggestions.map(asJson) };
  });
}

function asJson({ city, country, countryCode, region, latitude, longitude }: Place) {
  return { city, country, country_code: countryCode, region: region ?? null, latitude, longitude };
}
