import {
  DAILY_FORECAST,
  DAILY_QUANTITIES,
  MAX_FORECAST_DAYS,
} from '../../weather/kinds/daily-forecast.js';
import { listOf, orNull, objectSchema, reference, text } from '../description/schemas.js';
import { wholeNumber } from '../input/parameters.js';
import { locationEndpoint } from './endpoint.js';
import { LANG, LANGUAGE_HEADER } from './language.js';
import { CONDITION, nextSteps, quantityMembers } from './members.js';
import { PLACE, placeOf } from './found-place.js';

const localTimeText = (description: string) =>
  orNull(text(description, { pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' }));

const { temperature_min, temperature_max, day_length, moon_phase, ...others } =
  quantityMembers(DAILY_QUANTITIES);

const DAY = objectSchema('DailyWeather', {
  date: [text('Local date.', { format: 'date' }), '2026-11-24'],
  temperature_min,
  temperature_max,
  condition: [
    text('The most severe weather of the day, in the words of the WMO weather codes.'),
    CONDITION.condition[1],
  ],
  weather_code: CONDITION.weather_code,
  ...others,
  sunrise: [
    localTimeText('Local time of sunrise; null if the sun does not rise on this date.'),
    '2026-11-24T07:28',
  ],
  sunset: [
    localTimeText(
      'Local time of the sunset after `sunrise`, which can be after midnight; null if the sun ' +
        'does not set.',
    ),
    '2026-11-24T16:25',
  ],
  day_length,
  moon_phase,
  moonrise: [
    localTimeText('Local time of the first moonrise; null if the moon does not rise on this date.'),
    '2026-11-24T15:48',
  ],
  moonset: [
    localTimeText('Local time of the first moonset; null if there is none.'),
    '2026-11-24T07:03',
  ],
});

export const DAILY_FORECAST_ENDPOINT = locationEndpoint({
  path: '/api/v1/forecast',
  kind: DAILY_FORECAST,
  publicFor: ['name', 'coordinates', 'airport'],
  parameters: {
    days: wholeNumber('days', {
      min: 1,
      max: MAX_FORECAST_DAYS,
      default: 3,
      description: 'The number of days. Forecasts beyond seven days are unreliable.',
    }),
    lang: LANG,
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
  membersOf(forecast, { options, located, now }) {
    const { timezone } = forecast;
    const next = { now, count: options.days, lang: options.lang };
    return {
      place: placeOf(located.place, timezone),
      timezone,
      days: nextSteps(DAY, DAILY_FORECAST, forecast, next),
    };
  },
  headers: LANGUAGE_HEADER,
  summary: 'Daily forecast',
});
