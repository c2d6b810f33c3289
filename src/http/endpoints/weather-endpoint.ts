import { conditionOf } from '../../weather/conditions/conditions.js';
import { CURRENT_QUANTITIES, CURRENT_WEATHER } from '../../weather/kinds/current-weather.js';
import { pointText } from '../../weather/kinds/point.js';
import { isDaylight } from '../../weather/time/sun.js';
import { objectSchema, text } from '../description/schemas.js';
import { locationEndpoint } from './endpoint.js';
import { CONDITION_CODE, quantityMembers } from './members.js';

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
  headers: {
    'X-Weather-Point': {
      schema: text(
        'Latitude and longitude of the place that was found, with at most four decimals. For coordinates, it is the place that `location` names.',
        {
          pattern: '^-?\\d{1,2}(\\.\\d{1,4})?,-?\\d{1,3}(\\.\\d{1,4})?$',
          examples: ['37.2153,-93.2982'],
        },
      ),
      valueFor: (_weather, { located }) => pointText(located.place),
    },
    'X-Weather-Is-Day': {
      schema: text('`1` while the sun is up at the location, else `0`.', {
        enum: ['0', '1'],
        examples: ['1'],
      }),
      valueFor: (_weather, { located, now }) => (isDaylight(located.point, now) ? '1' : '0'),
    },
    'X-Weather-Code': {
      schema: CONDITION_CODE,
      valueFor: ({ weather_code: code }) => (code === null ? undefined : String(code)),
      isOptional: true,
    },
  },
  summary: 'Weather',
});
