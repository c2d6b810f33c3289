import { codeOf } from '../../weather/conditions.js';
import { CURRENT_WEATHER } from '../../weather/current-weather.js';
import { isDaylight } from '../../weather/sun.js';
import { offsetTime } from '../../weather/local-time.js';
import type { Weather } from '../../weather/types.js';
import type { LocationEndpoint } from './endpoint.js';
import {
  CONDITION,
  celsius,
  decimal,
  IS_DAY,
  kilometersPerHour,
  millimeters,
  nullable,
  offsetTimeSchema,
  percentage,
  WEATHER_CODE,
  WIND_DIRECTION,
} from './members.js';
import { PLACE, PLACE_DEFINITION, placeOf } from './place.js';

/** Everything that is known about the present: another view of the entry of the current weather. */
export const CONDITIONS: LocationEndpoint<Weather> = {
  path: '/api/v1/conditions',
  kind: CURRENT_WEATHER,
  publicFor: ['coordinates'],
  parameters: {},
  membersOf(weather, { located: { place, point }, provider, now, timeZoneAt, creditOf }) {
    const timeZone = timeZoneAt(point);
    return {
      place: placeOf(place, timeZone),
      time: weather.time === undefined ? null : offsetTime(timeZone, weather.time),
      temperature: weather.temperature,
      feels_like: weather.feels_like ?? null,
      condition: weather.condition,
      weather_code: codeOf(weather.condition) ?? null,
      is_day: isDaylight(point, now),
      humidity: weather.humidity,
      dew_point: weather.dew_point ?? null,
      pressure: weather.pressure ?? null,
      cloud_cover: weather.cloud_cover ?? null,
      precipitation: weather.precipitation ?? null,
      wind_speed: weather.wind_speed,
      wind_direction: weather.wind_direction ?? null,
      wind_gusts: weather.wind_gusts ?? null,
      visibility: weather.visibility ?? null,
      uv_index: weather.uv_index ?? null,
      provider,
      attribution: creditOf(provider) ?? null,
    };
  },
  headersOf: () => ({}),
  description: {
    tag: 'weather',
    operation: 'Conditions',
    summary: 'Current conditions',
    response:
      'Everything that is known about the present. A value that the provider does not have is null.',
    schema: 'ConditionsRecord',
    members: {
      place: PLACE,
      time: nullable(
        offsetTimeSchema('The time that the values are for, local, with its UTC offset.'),
      ),
      temperature: celsius('Temperature'),
      feels_like: nullable(
        celsius('Apparent temperature by the provider, or by the rule of Yr if it has none'),
      ),
      condition: CONDITION,
      weather_code: WEATHER_CODE,
      is_day: IS_DAY,
      humidity: percentage('Relative humidity in percent.'),
      dew_point: nullable(celsius('Dew point')),
      pressure: nullable(decimal('Hectopascals at sea level, at most one decimal.')),
      cloud_cover: nullable(percentage('Part of the sky that clouds cover, in percent.')),
      precipitation: nullable(
        millimeters('Millimeters per hour: the mean over the interval that the provider reports.'),
      ),
      wind_speed: kilometersPerHour('Wind speed'),
      wind_direction: WIND_DIRECTION,
      wind_gusts: nullable(kilometersPerHour('Speed of gusts')),
      visibility: nullable(decimal('Meters.', { minimum: 0 })),
      uv_index: nullable(decimal('The UV index, at most one decimal.', { minimum: 0 })),
      provider: { type: 'string', description: 'The provider of the data.' },
      attribution: nullable({
        type: 'object',
        required: ['text', 'url'],
        properties: {
          text: { type: 'string' },
          url: nullable({ type: 'string' }),
        },
        description:
          'The credit to show next to the data: text, and link of the source. The link is null for ' +
          'invented data.',
      }),
    },
    definitions: PLACE_DEFINITION,
    headers: {},
    example: {
      location: { city: 'Seattle', country: 'USA', latitude: 47.6062, longitude: -122.3321 },
      members: {
        place: PLACE_DEFINITION.FoundPlace.example,
        time: '2026-11-25T17:15-08:00',
        temperature: 8.4,
        feels_like: 5.9,
        condition: 'Slight rain',
        weather_code: 61,
        is_day: false,
        humidity: 87,
        dew_point: 6.4,
        pressure: 1009.2,
        cloud_cover: 100,
        precipitation: 0.4,
        wind_speed: 11.2,
        wind_direction: 210,
        wind_gusts: 24.1,
        visibility: null,
        uv_index: null,
        provider: 'open-meteo',
        attribution: {
          text: 'Weather data by Open-Meteo.com, CC BY 4.0',
          url: 'https://open-meteo.com/',
        },
      },
    },
  },
};
