import type Router from '@koa/router';
import { DAILY_FORECAST, nextDays, type DailyForecast } from '../../weather/daily-forecast.js';
import type { RequestState } from '../context.js';
import type { LocationEndpoint, LocationHandlers } from '../location-handlers.js';
import { queryOf } from '../request-target.js';
import { daysFromQuery } from '../validate.js';
import { pointRequest, type PointRequest } from '../../weather/point.js';

/** Daily forecast by city and by coordinates. */
export function forecastRoutes(
  router: Router<RequestState>,
  { handlers }: { handlers: LocationHandlers },
): void {
  const dailyForecast: LocationEndpoint<PointRequest, DailyForecast, number> = {
    kind: DAILY_FORECAST,
    requestOf: ({ point }) => pointRequest(point),
    optionsOf: (ctx) => daysFromQuery(queryOf(ctx.state.target)),
    membersOf: (forecast, days, now) => ({
      timezone: forecast.timezone,
      days: nextDays(forecast, now, days),
    }),
    headersOf: () => ({}),
  };
  router.get('/api/v1/forecast', handlers.fromQuery(dailyForecast));
  router.get('/api/v1/forecast/coordinates', handlers.fromCoordinates(dailyForecast));
}
