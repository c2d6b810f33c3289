import { AIR_QUALITY_ENDPOINT } from '../endpoints/air-quality-endpoint.js';
import { CONDITIONS } from '../endpoints/conditions-endpoint.js';
import { DAILY_FORECAST_ENDPOINT } from '../endpoints/daily-forecast-endpoint.js';
import type { LocationEndpoint } from '../endpoints/endpoint.js';
import { HOURLY_FORECAST_ENDPOINT, hoursUpTo } from '../endpoints/hourly-forecast-endpoint.js';

/** Maximum number of hours of a call: a result must not take too much of a conversation. */
const MAX_HOURS = 48;

/** The endpoint for each tool about a location, by the name of the tool. */
export const LOCATION_TOOLS: Readonly<Record<string, LocationEndpoint>> = {
  current_weather: CONDITIONS,
  forecast_daily: DAILY_FORECAST_ENDPOINT,
  forecast_hourly: {
    ...(HOURLY_FORECAST_ENDPOINT as LocationEndpoint),
    parameters: { ...HOURLY_FORECAST_ENDPOINT.parameters, hours: hoursUpTo(MAX_HOURS) },
  },
  air_quality: AIR_QUALITY_ENDPOINT,
};

export const PLACES_TOOL = 'find_places';

/** The tools as clients see them. The build derives them from the API description. */
export interface PublishedTools {
  /** Instructions for all tools, which a client may pass to a model. */
  instructions: string;
  /** As the Model Context Protocol has them in `tools/list`. */
  tools: {
    name: string;
    title: string;
    description: string;
    inputSchema: { type: 'object' };
    outputSchema: { type: 'object' };
  }[];
}
