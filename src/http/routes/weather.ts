import type Router from '@koa/router';
import { codeOf } from '../../weather/conditions.js';
import { CURRENT_WEATHER, isDay } from '../../weather/current-weather.js';
import type { Weather } from '../../weather/types.js';
import type { RequestState } from '../context.js';
import type { LocationEndpoint, LocationHandlers } from '../location-handlers.js';
import { pointRequest, type PointRequest } from '../../weather/point.js';

/** Serves the current weather by city (GET and POST) and by coordinates. */
export function weatherRoutes(
  router: Router<RequestState>,
  { handlers }: { handlers: LocationHandlers },
): void {
  const currentWeather: LocationEndpoint<PointRequest, Weather, undefined> = {
    kind: CURRENT_WEATHER,
    requestOf: ({ point }) => pointRequest(point),
    optionsOf: () => undefined,
    membersOf: ({ temperature, condition, humidity, wind_speed }) => ({
      temperature,
      condition,
      humidity,
      wind_speed,
    }),
    headersOf(weather, { point }, now) {
      const code = codeOf(weather.condition);
      return {
        'X-Weather-Is-Day': isDay(weather, point, now) ? '1' : '0',
        ...(code === undefined ? {} : { 'X-Weather-Code': String(code) }),
      };
    },
  };
  const get = handlers.fromQuery(currentWeather);
  const post = handlers.fromBody(currentWeather);
  for (const path of ['/api/v1/weather', '/api/weather']) router.get(path, get).post(path, post);
  router.get('/api/v1/weather/coordinates', handlers.fromCoordinates(currentWeather));
}
