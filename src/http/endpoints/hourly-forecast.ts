import { codeOf } from '../../weather/conditions.js';
import { isDaylight } from '../../weather/sun.js';
import {
  HOURLY_FORECAST,
  MAX_FORECAST_HOURS,
  nextHours,
  type HourlyForecast,
} from '../../weather/hourly-forecast.js';
import { offsetTime } from '../../weather/local-time.js';
import { wholeNumber } from '../parameters.js';
import type { LocationEndpoint } from './endpoint.js';
import {
  celsius,
  CONDITION,
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

const parameters = {
  hours: wholeNumber('hours', {
    min: 1,
    max: MAX_FORECAST_HOURS,
    default: 24,
    description: 'The number of hours.',
  }),
};

const HOUR = {
  time: '2026-11-25T17:00-08:00',
  temperature: 8.4,
  feels_like: 5.9,
  condition: 'Slight rain',
  weather_code: 61,
  is_day: false,
  humidity: 87,
  cloud_cover: 100,
  precipitation: 0.4,
  precipitation_probability: 61,
  wind_speed: 11.2,
  wind_direction: 210,
  wind_gusts: 24.1,
};

/** The forecast for the next hours. */
export const HOURLY_FORECAST_ENDPOINT: LocationEndpoint<HourlyForecast, typeof parameters> = {
  path: '/api/v1/forecast/hourly',
  kind: HOURLY_FORECAST,
  publicFor: ['name', 'coordinates'],
  parameters,
  membersOf(forecast, { options, located: { place, point }, now }) {
    const { timezone } = forecast;
    return {
      place: placeOf(place, timezone),
      timezone,
      hours: nextHours(forecast, now, options.hours).map((hour) => ({
        time: offsetTime(timezone, hour.time),
        temperature: hour.temperature,
        feels_like: hour.feels_like,
        condition: hour.condition,
        weather_code: codeOf(hour.condition) ?? null,
        is_day: isDaylight(point, hour.time),
        humidity: hour.humidity,
        cloud_cover: hour.cloud_cover,
        precipitation: hour.precipitation,
        precipitation_probability: hour.precipitation_probability,
        wind_speed: hour.wind_speed,
        wind_direction: hour.wind_direction,
        wind_gusts: hour.wind_gusts,
      })),
    };
  },
  headersOf: () => ({}),
  description: {
    tag: 'forecast',
    operation: 'HourlyForecast',
    summary: 'Hourly forecast',
    response: 'The hourly forecast. A value that the provider does not have is null.',
    schema: 'HourlyForecastRecord',
    members: {
      place: PLACE,
      timezone: { type: 'string', description: 'IANA name of the time zone of all times.' },
      hours: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_FORECAST_HOURS,
        items: { $ref: '#/definitions/HourlyWeather' },
        description:
          'From the present hour on: as many hours as were requested, or fewer if the provider has ' +
          'fewer.',
      },
    },
    definitions: {
      ...PLACE_DEFINITION,
      HourlyWeather: {
        members: {
          time: offsetTimeSchema(
            'The beginning of the hour: local time with its own offset from UTC, also on the day of ' +
              'a clock change. The values are those at this time, except for precipitation and gusts.',
          ),
          temperature: celsius('Temperature'),
          feels_like: nullable(
            celsius('Apparent temperature by the provider, or by the rule of Yr if it has none'),
          ),
          condition: CONDITION,
          weather_code: WEATHER_CODE,
          is_day: IS_DAY,
          humidity: nullable(percentage('Relative humidity in percent.')),
          cloud_cover: nullable(percentage('Part of the sky that clouds cover, in percent.')),
          precipitation: nullable(millimeters('Millimeters in the hour that begins at `time`.')),
          precipitation_probability: nullable(
            percentage('Probability of precipitation in the hour that begins at `time`.'),
          ),
          wind_speed: nullable(kilometersPerHour('Wind speed')),
          wind_direction: WIND_DIRECTION,
          wind_gusts: nullable(
            kilometersPerHour('Highest speed of gusts in the hour that begins at `time`,'),
          ),
        },
        example: HOUR,
      },
    },
    headers: {},
    example: {
      location: { city: 'Seattle', country: 'USA', latitude: 47.6062, longitude: -122.3321 },
      members: {
        place: PLACE_DEFINITION.FoundPlace.example,
        timezone: 'America/Los_Angeles',
        hours: [HOUR],
      },
    },
  },
};
