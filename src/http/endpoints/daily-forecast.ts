import { codeOf } from '../../weather/conditions.js';
import {
  DAILY_FORECAST,
  MAX_FORECAST_DAYS,
  nextDays,
  type DailyForecast,
  type DailyWeather,
} from '../../weather/daily-forecast.js';
import { wholeNumber } from '../parameters.js';
import type { LocationEndpoint, Schema } from './endpoint.js';
import {
  celsius,
  decimal,
  kilometersPerHour,
  millimeters,
  nullable,
  percentage,
  WEATHER_CODE,
} from './members.js';
import { PLACE, PLACE_DEFINITION, placeOf } from './place.js';

const parameters = {
  days: wholeNumber('days', {
    min: 1,
    max: MAX_FORECAST_DAYS,
    default: 3,
    description: 'The number of days.',
  }),
};

const localTime = (description: string): Schema =>
  nullable({ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$', description });

const DAY = {
  date: '2026-11-24',
  temperature_min: 4.1,
  temperature_max: 9,
  condition: 'Slight rain',
  weather_code: 61,
  precipitation_probability: 62,
  precipitation: 3.4,
  wind_speed_max: 18.4,
  wind_gusts_max: 39.6,
  uv_index_max: 0.9,
  sunrise: '2026-11-24T07:28',
  sunset: '2026-11-24T16:25',
};

/** A day of the response. Unknown members of a cache entry are left out. */
const dayOf = (day: DailyWeather) => ({
  date: day.date,
  temperature_min: day.temperature_min,
  temperature_max: day.temperature_max,
  condition: day.condition,
  weather_code: codeOf(day.condition) ?? null,
  precipitation_probability: day.precipitation_probability,
  precipitation: day.precipitation ?? null,
  wind_speed_max: day.wind_speed_max ?? null,
  wind_gusts_max: day.wind_gusts_max ?? null,
  uv_index_max: day.uv_index_max ?? null,
  sunrise: day.sunrise,
  sunset: day.sunset,
});

/** The forecast for the next days. */
export const DAILY_FORECAST_ENDPOINT: LocationEndpoint<DailyForecast, typeof parameters> = {
  path: '/api/v1/forecast',
  kind: DAILY_FORECAST,
  publicFor: ['name', 'coordinates'],
  parameters,
  membersOf: (forecast, { options, located, now }) => ({
    place: placeOf(located.place, forecast.timezone),
    timezone: forecast.timezone,
    days: nextDays(forecast, now, options.days).map(dayOf),
  }),
  headersOf: () => ({}),
  description: {
    tag: 'forecast',
    operation: 'Forecast',
    summary: 'Daily forecast',
    response: 'The daily forecast.',
    schema: 'ForecastRecord',
    members: {
      place: PLACE,
      timezone: {
        type: 'string',
        description: 'IANA name of the time zone of all dates and times.',
      },
      days: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_FORECAST_DAYS,
        items: { $ref: '#/definitions/DailyWeather' },
        description:
          'From the local date of today on, or of tomorrow if the provider has no complete values for ' +
          'today: as many days as were requested, or fewer if the provider has fewer. Depending on ' +
          'the provider, today has the values of the rest of the day.',
      },
    },
    definitions: {
      ...PLACE_DEFINITION,
      DailyWeather: {
        members: {
          date: { type: 'string', format: 'date', description: 'Local date.' },
          temperature_min: celsius('Lowest temperature'),
          temperature_max: celsius('Highest temperature'),
          condition: {
            type: 'string',
            description:
              'The most severe weather of the day, in the words of the WMO weather codes.',
          },
          weather_code: WEATHER_CODE,
          precipitation_probability: nullable(
            percentage('Probability of precipitation in percent; null if the provider has none.'),
          ),
          precipitation: nullable(
            millimeters('Millimeters of precipitation; null if the provider has none.'),
          ),
          wind_speed_max: nullable(kilometersPerHour('Highest wind speed')),
          wind_gusts_max: nullable(kilometersPerHour('Highest speed of gusts')),
          uv_index_max: nullable(
            decimal('Highest UV index, at most one decimal; null if the provider has none.', {
              minimum: 0,
            }),
          ),
          sunrise: localTime('Local time of sunrise; null if the sun does not rise on this date.'),
          sunset: localTime(
            'Local time of the sunset after `sunrise`, which can be after midnight; null if the sun ' +
              'does not set.',
          ),
        },
        example: DAY,
      },
    },
    headers: {},
    example: {
      location: { city: 'Seattle', country: 'USA', latitude: 47.6062, longitude: -122.3321 },
      members: {
        place: PLACE_DEFINITION.FoundPlace.example,
        timezone: 'America/Los_Angeles',
        days: [DAY],
      },
    },
  },
};
