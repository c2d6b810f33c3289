import { CONDITIONS } from '../endpoints/conditions.js';
import { DAILY_FORECAST_ENDPOINT } from '../endpoints/daily-forecast.js';
import type { LocationEndpoint } from '../endpoints/endpoint.js';
import { HOURLY_FORECAST_ENDPOINT } from '../endpoints/hourly-forecast.js';
import { SUGGESTIONS_PATH } from '../endpoints/suggestions.js';

/**
 * A tool of the Model Context Protocol. Each call stands for a GET request to the endpoint. The build makes the schemas of
 * arguments and result from the API description of the endpoint (`tools/openapi/tools.ts`).
 */
export interface Tool {
  name: string;
  /** For people. */
  title: string;
  /** For language models: what the tool is for, when to use which arguments, and how to read the result. */
  description: string;
  /** The path of an endpoint about a location is also served at `<path>/coordinates`. */
  endpoint: LocationEndpoint | { path: string };
}

const LOCATION =
  'Name the location by city and country, in any language or script; a region goes into the city, such as ' +
  '"Springfield, Illinois". Use lat and lon, without a city, only for a point that the user gave as coordinates or for ' +
  'a place without a name. `place` in the result is the place that was found: check that it is the one that the user meant.';

const VALUES =
  'Units are metric; convert them if the user prefers others. null means that the provider does not report the value: ' +
  'say that it is unknown, and do not estimate it. If `is_stale` is true, the data is older than usual: say how old. ' +
  'Always show the credit in `attribution` next to the data: its license requires it.';

/** Every tool, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'current_weather',
    title: 'Current weather',
    description: `Returns the weather at a location now: temperature, apparent temperature, condition, humidity, pressure, clouds, precipitation, and wind. ${LOCATION} ${VALUES}`,
    endpoint: CONDITIONS,
  },
  {
    name: 'forecast_daily',
    title: 'Daily forecast',
    description: `Returns the forecast for the next days at a location, beginning today, or tomorrow if the provider has no complete values for today, one entry for each local date: temperatures, most severe condition, precipitation, wind, sunrise, and sunset. Use it for questions about a day or several days. ${LOCATION} ${VALUES}`,
    endpoint: DAILY_FORECAST_ENDPOINT,
  },
  {
    name: 'forecast_hourly',
    title: 'Hourly forecast',
    description: `Returns the forecast for the next hours at a location, beginning with the present hour: temperature, condition, precipitation and its probability, and wind. Use it for questions about a time of today or tomorrow, such as when it will rain. ${LOCATION} ${VALUES}`,
    endpoint: HOURLY_FORECAST_ENDPOINT,
  },
  {
    name: 'find_places',
    title: 'Find places',
    description:
      'Returns places whose name begins with a text, in any language or script, the most likely first. Use it before the ' +
      'other tools if the country of a city is not known, or if several places have the name; if the user may mean any of ' +
      'them, ask which. Pass `city` and `country` of a result to the other tools as they are. It returns no weather.',
    endpoint: { path: SUGGESTIONS_PATH },
  },
];

/** Instructions for all tools, which a client may pass to a model. */
export const INSTRUCTIONS =
  'Weather and forecasts for any place in the world, from open data. The tools read, and change nothing. If a result is an ' +
  'error, its sentence says what to change or how long to wait. Show the credit in `attribution` next to all data.';
