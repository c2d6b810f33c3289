import { codeOf } from '../../weather/conditions.js';
import {
  DAILY_FORECAST,
  MAX_FORECAST_DAYS,
  nextDays,
  type DailyWeather,
} from '../../weather/daily-forecast.js';
import {
  celsius,
  kilometersPerHour,
  millimeters,
  percentage,
  WEATHER_CODE,
} from '../description/quantities.js';
import {
  decimal,
  listOf,
  nullable,
  objectSchema,
  reference,
  text,
  type ValueOf,
} from '../description/schemas.js';
import { wholeNumber } from '../parameters.js';
import { locationEndpoint } from './endpoint.js';
import { PLACE, placeOf, SEATTLE } from './place.js';

const localTime = (description: string) =>
  nullable(text(description, { pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' }));

const DAY = objectSchema('DailyWeather', {
  date: [text('Local date.', { format: 'date' }), '2026-11-24'],
  temperature_min: [celsius('Lowest temperature'), 4.1],
  temperature_max: [celsius('Highest temperature'), 9],
  condition: [
    text('The most severe weather of the day, in the words of the WMO weather codes.'),
    'Slight rain',
  ],
  weather_code: [WEATHER_CODE, 61],
  precipitation_probability: [
    nullable(percentage('Probability of precipitation in percent; null if the provider has none.')),
    62,
  ],
  precipitation: [
    nullable(millimeters('Millimeters of precipitation; null if the provider has none.')),
    3.4,
  ],
  wind_speed_max: [nullable(kilometersPerHour('Highest wind speed')), 18.4],
  wind_gusts_max: [nullable(kilometersPerHour('Highest speed of gusts')), 39.6],
  uv_index_max: [
    nullable(
      decimal('Highest UV index, at most one decimal; null if the provider has none.', {
        minimum: 0,
      }),
    ),
    0.9,
  ],
  sunrise: [
    localTime('Local time of sunrise; null if the sun does not rise on this date.'),
    '2026-11-24T07:28',
  ],
  sunset: [
    localTime(
      'Local time of the sunset after `sunrise`, which can be after midnight; null if the sun ' +
        'does not set.',
    ),
    '2026-11-24T16:25',
  ],
});

/** A day of the response. Every value of the kind is in it. Unknown members of a cache entry are left out. */
const dayOf = (day: DailyWeather): ValueOf<typeof DAY> & Record<keyof DailyWeather, unknown> => ({
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
export const DAILY_FORECAST_ENDPOINT = locationEndpoint({
  path: '/api/v1/forecast',
  kind: DAILY_FORECAST,
  publicFor: ['name', 'coordinates'],
  parameters: {
    days: wholeNumber('days', {
      min: 1,
      max: MAX_FORECAST_DAYS,
      default: 3,
      description: 'The number of days.',
    }),
  },
  body: objectSchema('ForecastRecord', {
    place: [reference(PLACE), PLACE.example],
    timezone: [text('IANA name of the time zone of all dates and times.'), PLACE.example.timezone],
    days: [
      listOf(DAY, {
        minItems: 1,
        maxItems: MAX_FORECAST_DAYS,
        description:
          'From the local date of today on, or of tomorrow if the provider has no complete values for ' +
          'today: as many days as were requested, or fewer if the provider has fewer. Depending on ' +
          'the provider, today has the values of the rest of the day.',
      }),
      [DAY.example],
    ],
  }),
  membersOf: (forecast, { options, located, now }) => ({
    place: placeOf(located.place, forecast.timezone),
    timezone: forecast.timezone,
    days: nextDays(forecast, now, options.days).map(dayOf),
  }),
  description: {
    tag: 'forecast',
    operation: 'Forecast',
    summary: 'Daily forecast',
    response: 'The daily forecast.',
    location: SEATTLE,
  },
});
