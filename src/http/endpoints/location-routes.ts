import type { Route } from '../context.js';
import { errorAnswer } from '../error-answers.js';
import { logFieldsOfInput, logFieldsOfQuery } from '../finder.js';
import { readJsonObject } from '../input/json-body.js';
import { ignoredHeader } from '../input/parameters.js';
import type { LocationAnswerer } from '../location-answers.js';
import { CONDITIONS } from './conditions-endpoint.js';
import { DAILY_FORECAST_ENDPOINT } from './daily-forecast-endpoint.js';
import type { LocationEndpoint } from './endpoint.js';
import { HOURLY_FORECAST_ENDPOINT } from './hourly-forecast-endpoint.js';
import { BY_NAME_IN_BODY, LOCATION_WAYS } from './location-ways.js';
import { WEATHER } from './weather-endpoint.js';

/** Every endpoint about a location. The API description has them in this order. */
export const LOCATION_ENDPOINTS: readonly LocationEndpoint[] = [
  WEATHER,
  CONDITIONS,
  DAILY_FORECAST_ENDPOINT,
  HOURLY_FORECAST_ENDPOINT,
];

/** The routes of the endpoints about a location. */
export function locationRoutes(answerLocation: LocationAnswerer): Route[] {
  return LOCATION_ENDPOINTS.flatMap((endpoint): Route[] => {
    const { path, aliases = [], acceptsBody, publicFor } = endpoint;
    const paths = [path, ...aliases];
    const queryRoutes = LOCATION_WAYS.map((way): Route => ({
      method: 'get',
      paths: way.suffix === '' ? paths : [path + way.suffix],
      parameters: [...way.parameters, ...Object.keys(endpoint.parameters)],
      group: 'weather',
      ...(publicFor.includes(way.by) ? { isPublic: true } : { session: 'establish' }),
      logFieldsOf: (parameters, known) =>
        known ? logFieldsOfQuery(known.query) : logFieldsOfInput(endpoint, way, parameters),
      answer: ({ state }, parameters, known) =>
        answerLocation(endpoint, way, parameters, state.scope, known),
    }));
    const bodyRoute: Route = {
      method: 'post',
      paths,
      parameters: [],
      group: 'weather',
      session: 'establish',
      logFieldsOf: () => logFieldsOfInput(endpoint, BY_NAME_IN_BODY, {}),
      async answer(ctx, parameters) {
        const { scope, target } = ctx.state;
        const members = await readJsonObject(ctx);
        const isUnknown = (name: string) => !BY_NAME_IN_BODY.parameters.includes(name);
        const unknownMembers = Object.keys(members).filter(isUnknown);
        try {
          return {
            ...(await answerLocation(endpoint, BY_NAME_IN_BODY, members, scope)),
            unknownMembers,
          };
        } catch (error) {
          const logFields = logFieldsOfInput(endpoint, BY_NAME_IN_BODY, members);
          const [, ignored] = ignoredHeader([...Object.keys(parameters), ...unknownMembers], []);
          return { ...errorAnswer(error, target.query, ignored), logFields };
        }
      },
    };
    return [...queryRoutes, ...(acceptsBody ? [bodyRoute] : [])];
  });
}
