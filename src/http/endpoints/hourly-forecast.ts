import { codeOf } from '../../weather/conditions.js';
import { isDaylight } from '../../weather/sun.js';
import {
  HOURLY_FORECAST,
  MAX_FORECAST_HOURS,
  nextHours,
  type HourlyWeather,
} from '../../weather/hourly-forecast.js';
import { offsetTime } from '../../weather/local-time.js';
import type { Point } from '../../weather/types.js';
import {
  celsius,
  CLOUD_COVER,
  CONDITION,
  FEELS_LIKE,
  IS_DAY,
  kilometersPerHour,
  millimeters,
  offsetTimeText,
  percentage,
  WEATHER_CODE,
  WIND_DIRECTION,
} from '../description/quantities.js';
import {
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

const HOUR = objectSchema('HourlyWeather', {
  time: [
    offsetTimeText(
      'The beginning of the hour: local time with its own offset from UTC, also on the day of ' +
        'a clock change. The values are those at this time, except for precipitation, its probability, and gusts.',
    ),
    '2026-11-25T17:00-08:00',
  ],
  temperature: [celsius('Temperature'), 8.4],
  feels_like: [FEELS_LIKE, 5.9],
  condition: [CONDITION, 'Slight rain'],
  weather_code: [WEATHER_CODE, 61],
  is_day: [IS_DAY, false],
  humidity: [nullable(percentage('Relative humidity in percent.')), 87],
  cloud_cover: [nullable(CLOUD_COVER), 100],
  precipitation: [nullable(millimeters('Millimeters in the hour that begins at `time`.')), 0.4],
  precipitation_probability: [
    nullable(
      percentage('Probability in percent of precipitation in the hour that begins at `time`.'),
    ),
    61,
  ],
  wind_speed: [nullable(kilometersPerHour('Wind speed')), 11.2],
  wind_direction: [WIND_DIRECTION, 210],
  wind_gusts: [
    nullable(kilometersPerHour('Highest speed of gusts in the hour that begins at `time`,')),
    24.1,
  ],
});

/** An hour of the response. Every value of the kind is in it. */
const hourOf = (
  hour: HourlyWeather,
  timezone: string,
  point: Point,
): ValueOf<typeof HOUR> & Record<keyof HourlyWeather, unknown> => ({
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
});

/** The forecast for the next hours. */
export const HOURLY_FORECAST_ENDPOINT = locationEndpoint({
  path: '/api/v1/forecast/hourly',
  kind: HOURLY_FORECAST,
  publicFor: ['name', 'coordinates'],
  parameters: {
    hours: wholeNumber('hours', {
      min: 1,
      max: MAX_FORECAST_HOURS,
      default: 24,
      description: 'The number of hours.',
    }),
  },
  body: objectSchema('HourlyForecastRecord', {
    place: [reference(PLACE), PLACE.example],
    timezone: [text('IANA name of the time zone of all times.'), PLACE.example.timezone],
    hours: [
      listOf(HOUR, {
        minItems: 1,
        maxItems: MAX_FORECAST_HOURS,
        description:
          'From the present hour on: as many hours as were requested, or fewer if the provider has ' +
          'fewer.',
      }),
      [HOUR.example],
    ],
  }),
  membersOf(forecast, { options, located: { place, point }, now }) {
    const { timezone } = forecast;
    return {
      place: placeOf(place, timezone),
      timezone,
      hours: nextHours(forecast, now, options.hours).map((hour) => hourOf(hour, timezone, point)),
    };
  },
  description: {
    tag: 'forecast',
    operation: 'HourlyForecast',
    summary: 'Hourly forecast',
    response: 'The hourly forecast. A value that the provider does not have is null.',
    location: SEATTLE,
  },
});
