import type { Route } from '../context.js';
import { logFieldsOfInput, logFieldsOfQuery } from '../finder.js';
import type { LocationAnswerer } from '../location-answers.js';
import { AIR_QUALITY_ENDPOINT } from './air-quality-endpoint.js';
import { CONDITIONS } from './conditions-endpoint.js';
import { DAILY_FORECAST_ENDPOINT } from './daily-forecast-endpoint.js';
import type { LocationEndpoint } from './endpoint.js';
import { HOURLY_FORECAST_ENDPOINT } from './hourly-forecast-endpoint.js';
import { BY_NAME_IN_BODY, LOCATION_WAYS, type LocationWay } from './location-ways.js';
import { POLLEN_ENDPOINT } from './pollen-endpoint.js';
import { WEATHER } from './weather-endpoint.js';

/** Every endpoint about a location. The API description has them in this order. */
export const LOCATION_ENDPOINTS: readonly LocationEndpoint[] = [
  WEATHER,
  CONDITIONS,
  DAILY_FORECAST_ENDPOINT,
  HOURLY_FORECAST_ENDPOINT,
  AIR_QUALITY_ENDPOINT,
  POLLEN_ENDPOINT,
];

/** The routes of the endpoints about a location. */
export function locationRoutes(answerLocation: LocationAnswerer): Route[] {
  return LOCATION_ENDPOINTS.flatMap((endpoint) => {
    return waysOf(endpoint).map((way) => routeOf(endpoint, way, answerLocation));
  });
}

/** The ways in which requests to an endpoint name their location. */
export function waysOf({ acceptsBody, publicFor }: LocationEndpoint): LocationWay[] {
  return [
    ...LOCATION_WAYS.filter(({ by, isPublic }) => isPublic !== true || publicFor.includes(by)),
    ...(acceptsBody ? [BY_NAME_IN_BODY] : []),
  ];
}

function routeOf(
  endpoint: LocationEndpoint,
  way: LocationWay,
  answerLocation: LocationAnswerer,
): Route {
  const { path, aliases = [], publicFor } = endpoint;
  const names = [...way.parameters, ...Object.keys(endpoint.parameters)];
  return {
    method: way.isBody ? 'post' : 'get',
    paths: way.suffix === '' ? [path, ...aliases] : [path + way.suffix],
    ...(way.isBody ? { parameters: [], fields: names } : { parameters: names }),
    group: 'weather',
    ...(publicFor.includes(way.by) ? { isPublic: true } : { session: 'establish' }),
    logFieldsOf: (input, known) =>
      known ? logFieldsOfQuery(known.query) : logFieldsOfInput(endpoint, way, input),
    answer: ({ state }, input, known) => answerLocation(endpoint, way, input, state.scope, known),
  };
}
