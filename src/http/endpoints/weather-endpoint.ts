import { conditionOf } from '../../weather/conditions/conditions.js';
import { CURRENT_QUANTITIES, CURRENT_WEATHER } from '../../weather/kinds/current-weather.js';
import { pointText } from '../../weather/kinds/point.js';
import { isDaylight } from '../../weather/time/sun.js';
import { objectSchema, text } from '../description/schemas.js';
import { locationEndpoint } from './endpoint.js';
import { quantityMembers } from './members.js';

const { temperature, humidity, wind_speed } = quantityMembers(CURRENT_QUANTITIES);

/** The current weather: the members that the public contract fixes. */
export const WEATHER = locationEndpoint({
  path: '/api/v1/weather',
  aliases: ['/api/weather'],
  acceptsBody: true,
  kind: CURRENT_WEATHER,
  publicFor: [],
  parameters: {},
  body: objectSchema('WeatherRecord', {
    temperature,
    condition: [text('The weather, in the English words of the WMO weather codes.'), 'Slight rain'],
    humidity,
    wind_speed,
  }),
  membersOf: ({ temperature, weather_code, humidity, wind_speed }) => ({
    temperature,
    condition: conditionOf(weather_code),
    humidity,
    wind_speed,
  }),
  headerNames: ['X-Weather-Point', 'X-Weather-Is-Day', 'X-Weather-Code'],
  headersOf({ weather_code: code }, { located, now }) {
    return {
      'X-Weather-Point': pointText(located.place),
      'X-Weather-Is-Day': isDaylight(located.point, now) ? '1' : '0',
      ...(code === null ? {} : { 'X-Weather-Code': String(code) }),
    };
  },
  summary: 'Weather',
});
