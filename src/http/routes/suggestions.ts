import type Router from '@koa/router';
import { PlaceNotFoundError } from '../../errors.js';
import type { Gazetteer, Suggestion } from '../../weather/types.js';
import type { AppMiddleware, RequestState } from '../context.js';
import { queryOf } from '../request-target.js';
import { suggestionFromQuery } from '../validate.js';

/** The gazetteer changes only with a release. */
const CACHE_CONTROL = 'public, max-age=86400';

/** Serves suggestions for the beginning of a city name. @param options `middleware` runs first, in order */
export function suggestionRoutes(
  router: Router<RequestState>,
  options: { suggest: Gazetteer['suggest']; middleware: AppMiddleware[] },
): void {
  router.get('/api/v1/places', ...options.middleware, (ctx) => {
    const { q, country, limit } = suggestionFromQuery(queryOf(ctx.state.target));
    const suggestions = options.suggest(q, limit, country?.plain);
    if (!suggestions) {
      throw new PlaceNotFoundError(`No country is called '${country?.shown ?? ''}'.`);
    }
    ctx.set('Cache-Control', CACHE_CONTROL);
    ctx.body = { places: suggestions.map(asJson) };
  });
}

function asJson(suggestion: Suggestion) {
  const { city, country, countryCode, region, latitude, longitude } = suggestion;
  return { city, country, country_code: countryCode, region: region ?? null, latitude, longitude };
}
