import { codeOf } from '../../weather/conditions.js';
import { CURRENT_WEATHER } from '../../weather/current-weather.js';
import { isDaylight } from '../../weather/sun.js';
import { offsetTime } from '../../weather/local-time.js';
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
  decimal,
  inlineObject,
  nullable,
  objectSchema,
  reference,
  text,
} from '../description/schemas.js';
import { locationEndpoint } from './endpoint.js';
import { PLACE, placeOf, SEATTLE } from './place.js';

const ATTRIBUTION = inlineObject<{ text: string; url: string | null }>(
  'The credit to show next to the data: text, and link of the source. The link is null for ' +
    'invented data.',
  { text: text(), url: nullable(text()) },
);

const BODY = objectSchema('ConditionsRecord', {
  place: [reference(PLACE), PLACE.example],
  time: [
    nullable(offsetTimeText('The time that the values are for, local, with its UTC offset.')),
    '2026-11-25T17:15-08:00',
  ],
  temperature: [celsius('Temperature'), 8.4],
  feels_like: [FEELS_LIKE, 5.9],
  condition: [CONDITION, 'Slight rain'],
  weather_code: [WEATHER_CODE, 61],
  is_day: [IS_DAY, false],
  humidity: [percentage('Relative humidity in percent.'), 87],
  dew_point: [nullable(celsius('Dew point')), 6.4],
  pressure: [nullable(decimal('Hectopascals at sea level, at most one decimal.')), 1009.2],
  cloud_cover: [nullable(CLOUD_COVER), 100],
  precipitation: [
    nullable(
      millimeters('Millimeters per hour: the mean over the interval that the provider reports.'),
    ),
    0.4,
  ],
  wind_speed: [kilometersPerHour('Wind speed'), 11.2],
  wind_direction: [WIND_DIRECTION, 210],
  wind_gusts: [nullable(kilometersPerHour('Speed of gusts')), 24.1],
  visibility: [nullable(decimal('Meters.', { minimum: 0 })), null],
  uv_index: [nullable(decimal('The UV index, at most one decimal.', { minimum: 0 })), null],
  provider: [text('The provider of the data.'), 'open-meteo'],
  attribution: [
    nullable(ATTRIBUTION),
    { text: 'Weather data by Open-Meteo.com, CC BY 4.0', url: 'https://open-meteo.com/' },
  ],
});

/** Everything that is known about the present: another view of the entry of the current weather. */
export const CONDITIONS = locationEndpoint({
  path: '/api/v1/conditions',
  kind: CURRENT_WEATHER,
  publicFor: ['coordinates'],
  parameters: {},
  body: BODY,
  membersOf(weather, { located: { place, point, timeZone }, provider, now, creditOf }) {
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
  description: {
    tag: 'weather',
    operation: 'Conditions',
    summary: 'Current conditions',
    response:
      'Everything that is known about the present. A value that the provider does not have is null.',
    location: SEATTLE,
  },
});
