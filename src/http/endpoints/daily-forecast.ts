import {
  DAILY_FORECAST,
  MAX_FORECAST_DAYS,
  nextDays,
  type DailyForecast,
} from '../../weather/daily-forecast.js';
import { wholeNumber } from '../parameters.js';
import type { LocationEndpoint, Schema } from './endpoint.js';
import { decimal, nullable, percentage } from './members.js';

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
  precipitation_probability: 62,
  sunrise: '2026-11-24T07:28',
  sunset: '2026-11-24T16:25',
};

/** The forecast for the next days. */
export const DAILY_FORECAST_ENDPOINT: LocationEndpoint<DailyForecast, typeof parameters> = {
  path: '/api/v1/forecast',
  kind: DAILY_FORECAST,
  publicFor: ['name', 'coordinates'],
  parameters,
  membersOf: (forecast, { options, now }) => ({
    timezone: forecast.timezone,
    days: nextDays(forecast, now, options.days),
  }),
  headersOf: () => ({}),
  description: {
    tag: 'forecast',
    operation: 'Forecast',
    summary: 'Daily forecast',
    response: 'The daily forecast.',
    schema: 'ForecastRecord',
    members: {
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
      DailyWeather: {
        members: {
          date: { type: 'string', format: 'date', description: 'Local date.' },
          temperature_min: decimal('Lowest temperature in degrees Celsius, at most one decimal.'),
          temperature_max: decimal('Highest temperature in degrees Celsius, at most one decimal.'),
          condition: {
            type: 'string',
            description:
              'The most severe weather of the day, in the words of the WMO weather codes.',
          },
          precipitation_probability: nullable(
            percentage('Probability of precipitation in percent; null if the provider has none.'),
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
      members: { timezone: 'America/Los_Angeles', days: [DAY] },
    },
  },
};
