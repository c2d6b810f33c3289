import { isDaylight } from '../../weather/time/sun.js';
import {
  HOURLY_FORECAST,
  HOURLY_QUANTITIES,
  MAX_FORECAST_HOURS,
} from '../../weather/kinds/hourly-forecast.js';
import { offsetTime } from '../../weather/time/local-time.js';
import { listOf, objectSchema, reference, text } from '../description/schemas.js';
import { wholeNumber } from '../input/parameters.js';
import { locationEndpoint } from './endpoint.js';
import { LANG, LANGUAGE_HEADER } from './language.js';
import { CONDITION, IS_DAY, nextSteps, offsetTimeText, quantityMembers } from './members.js';
import { PLACE, placeOf } from './found-place.js';

const { temperature, feels_like, humidity, cloud_cover, precipitation, ...others } =
  quantityMembers(HOURLY_QUANTITIES);

const HOUR = objectSchema('HourlyWeather', {
  time: [
    offsetTimeText(
      'Start of the hour: local time with its UTC offset. `condition`, `precipitation`, ' +
        '`precipitation_probability`, and `wind_gusts` are for the following hour, all other ' +
        'values for this time.',
    ),
    '2026-11-25T17:00-08:00',
  ],
  temperature,
  feels_like,
  ...CONDITION,
  is_day: [IS_DAY, false],
  humidity,
  cloud_cover,
  precipitation,
  ...others,
});

/** The parameter for the number of hours. */
export const hoursUpTo = (max: number) =>
  wholeNumber('hours', { min: 1, max, default: 24, description: 'The number of hours.' });

export const HOURLY_FORECAST_ENDPOINT = locationEndpoint({
  path: '/api/v1/forecast/hourly',
  kind: HOURLY_FORECAST,
  publicFor: ['name', 'coordinates', 'airport'],
  parameters: {
    hours: hoursUpTo(MAX_FORECAST_HOURS),
    lang: LANG,
  },
  body: objectSchema('HourlyForecastRecord', {
    place: [reference(PLACE), PLACE.example],
    timezone: [text('IANA name of the time zone of all times.'), PLACE.example.timezone],
    hours: [
      listOf(HOUR, {
        minItems: 1,
        maxItems: MAX_FORECAST_HOURS,
        description:
          'From the current hour on: as many hours as were requested, or fewer if the provider has ' +
          'fewer.',
      }),
      [HOUR.example],
    ],
  }),
  membersOf(forecast, { options, located: { place, point }, now }) {
    const { timezone } = forecast;
    const next = { now, count: options.hours, lang: options.lang };
    return {
      place: placeOf(place, timezone),
      timezone,
      hours: nextSteps(HOUR, HOURLY_FORECAST, forecast, next, (time) => ({
        time: offsetTime(timezone, time),
        is_day: isDaylight(point, time),
      })),
    };
  },
  headers: LANGUAGE_HEADER,
  summary: 'Hourly forecast',
});
