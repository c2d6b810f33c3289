import { codeOf } from '../../weather/conditions.js';
import { CURRENT_WEATHER } from '../../weather/current-weather.js';
import { pointText } from '../../weather/point.js';
import { isDaylight } from '../../weather/sun.js';
import { CONDITION, percentage } from '../description/quantities.js';
import { decimal, objectSchema } from '../description/schemas.js';
import { locationEndpoint } from './endpoint.js';

/** The current weather: the members that the public contract fixes. */
export const WEATHER = locationEndpoint({
  path: '/api/v1/weather',
  aliases: ['/api/weather'],
  acceptsBody: true,
  kind: CURRENT_WEATHER,
  publicFor: [],
  parameters: {},
  body: objectSchema('WeatherRecord', {
    temperature: [decimal('Degrees Celsius, at most one decimal.'), 8.4],
    condition: [CONDITION, 'Slight rain'],
    humidity: [percentage('Relative humidity in percent.'), 87],
    wind_speed: [decimal('Kilometers per hour, at most one decimal.', { minimum: 0 }), 11.2],
  }),
  membersOf: ({ temperature, condition, humidity, wind_speed }) => ({
    temperature,
    condition,
    humidity,
    wind_speed,
  }),
  headers: {
    schemas: {
      'X-Weather-Point': {
        type: 'string',
        pattern: '^-?\\d{1,2}(\\.\\d{1,4})?,-?\\d{1,3}(\\.\\d{1,4})?$',
        description:
          'Latitude and longitude of the place that was found, with at most four decimals: ' +
          '`37.2153,-93.2982`. For coordinates, it is the place that `location` names.',
      },
      'X-Weather-Code': {
        type: 'integer',
        minimum: 0,
        maximum: 99,
        description: 'WMO weather code of `condition`; absent for `Unknown`.',
      },
      'X-Weather-Is-Day': {
        type: 'string',
        enum: ['0', '1'],
        description: '`1` while the sun is up at the location, else `0`.',
      },
    },
    valuesOf(weather, { located, now }) {
      const code = codeOf(weather.condition);
      return {
        'X-Weather-Point': pointText(located.place),
        'X-Weather-Is-Day': isDaylight(located.point, now) ? '1' : '0',
        ...(code === undefined ? {} : { 'X-Weather-Code': String(code) }),
      };
    },
  },
  description: {
    tag: 'weather',
    operation: 'Weather',
    summary: 'Weather',
    response: 'The current weather.',
    location: { city: 'Paris', country: 'France', latitude: 48.8566, longitude: 2.3522 },
  },
});
