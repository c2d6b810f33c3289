import type { LocationAnswers } from '../location-answers.js';
import type { Route } from '../route.js';
import { CONDITIONS } from './conditions-endpoint.js';
import { DAILY_FORECAST_ENDPOINT } from './daily-forecast-endpoint.js';
import {
  logFieldsOf,
  logFieldsOfBody,
  type LocationEndpoint,
  type RequestedBy,
} from './endpoint.js';
import { HOURLY_FORECAST_ENDPOINT } from './hourly-forecast-endpoint.js';
import { WEATHER } from './weather-endpoint.js';

/** Every endpoint about a location. The API description has them in this order. */
export const LOCATION_ENDPOINTS: readonly LocationEndpoint[] = [
  WEATHER,
  CONDITIONS,
  DAILY_FORECAST_ENDPOINT,
  HOURLY_FORECAST_ENDPOINT,
];

const LOCATION_PARAMETERS = { name: ['city', 'country'], coordinates: ['lat', 'lon'] };

/** The routes of the endpoints about a location. */
export function locationRoutes(answers: LocationAnswers): Route[] {
  return LOCATION_ENDPOINTS.flatMap((endpoint): Route[] => {
    const { path, aliases = [], acceptsBody, publicFor } = endpoint;
    const paths = [path, ...aliases];
    const queryRoute = (requestedBy: RequestedBy, queryPaths: string[]): Route => ({
      method: 'get',
      paths: queryPaths,
      parameters: [...LOCATION_PARAMETERS[requestedBy], ...Object.keys(endpoint.parameters)],
      group: 'weather',
      ...(publicFor.includes(requestedBy) ? { isPublic: true } : { session: 'establish' }),
      logFieldsOf: (target) => logFieldsOf(endpoint, requestedBy, target),
      answer: ({ state }) => answers.answerQuery(endpoint, requestedBy, state.target, state.scope),
    });
    const bodyRoute: Route = {
      method: 'post',
      paths,
      parameters: [],
      group: 'weather',
      session: 'establish',
      logFieldsOf: () => logFieldsOfBody(endpoint),
      answer: (ctx) => answers.answerBody(endpoint, ctx),
    };
    return [
      queryRoute('name', paths),
      ...(acceptsBody ? [bodyRoute] : []),
      queryRoute('coordinates', [`${path}/coordinates`]),
    ];
  });
}
