import { conditionOf } from '../../weather/conditions.js';
import { CURRENT_QUANTITIES, CURRENT_WEATHER } from '../../weather/current-weather.js';
import { pointText } from '../../weather/point.js';
import { isDaylight } from '../../weather/sun.js';
import { objectSchema } from '../description/schemas.js';
import { locationEndpoint } from './endpoint.js';
import { CONDITION, quantityMembers } from './members.js';

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
    condition: CONDITION.condition,
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
    valuesOf({ weather_code: code }, { located, now }) {
      return {
        'X-Weather-Point': pointText(located.place),
        'X-Weather-Is-Day': isDaylight(located.point, now) ? '1' : '0',
        ...(code === null ? {} : { 'X-Weather-Code': String(code) }),
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
