import type Router from '@koa/router';
import type { RequestState } from '../context.js';
import type { LocationHandlers } from '../location-handlers.js';
import { CONDITIONS } from './conditions.js';
import { DAILY_FORECAST_ENDPOINT } from './daily-forecast.js';
import type { LocationEndpoint } from './endpoint.js';
import { HOURLY_FORECAST_ENDPOINT } from './hourly-forecast.js';
import { WEATHER } from './weather.js';

/** Every endpoint about a location. The API description has them in this order. */
export const LOCATION_ENDPOINTS: readonly LocationEndpoint[] = [
  WEATHER,
  CONDITIONS,
  DAILY_FORECAST_ENDPOINT,
  HOURLY_FORECAST_ENDPOINT,
];

/** Serves the endpoints about a location. */
export function locationRoutes(router: Router<RequestState>, handlers: LocationHandlers): void {
  for (const endpoint of LOCATION_ENDPOINTS) {
    const { path, aliases = [], acceptsBody } = endpoint;
    const paths = [path, ...aliases];
    router.get(paths, handlers.fromQuery(endpoint));
    if (acceptsBody) router.post(paths, handlers.fromBody(endpoint));
    router.get(`${path}/coordinates`, handlers.fromCoordinates(endpoint));
  }
}
