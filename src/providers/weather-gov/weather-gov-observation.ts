import Joi from 'joi';
import { UpstreamError } from '../../weather/errors.js';
import { atMost, maybe, objectOf, type Validated } from '../../upstream/schema.js';
import { UNKNOWN_CODE } from '../../weather/conditions/conditions.js';
import { roundedPlausibleValue } from '../../weather/kinds/quantities.js';
import type { RawTime } from '../kind-values.js';
import { instantOf, maybeText, sameSchema } from '../weather-values.js';
import { codeOf, codeOfWords } from './weather-gov-conditions.js';
import { acceptedNumber, measured, NAME, UNITS, valueIn } from './weather-gov-quantities.js';

/** The measurements by the names of the contract. An observation may lack any of them. */
const MEASURED = {
  temperature: ['temperature', UNITS.celsius],
  humidity: ['relativeHumidity', UNITS.percent],
  wind_speed: ['windSpeed', UNITS.kmh],
  dew_point: ['dewpoint', UNITS.celsius],
  // It can be missing where `barometricPressure`, which is for altimeters, is not: they differ in the mountains.
  pressure: ['seaLevelPressure', UNITS.hectopascals],
  // Null can mean that none was measured, so it is not 0.
  precipitation: ['precipitationLastHour', UNITS.millimeters],
  wind_direction: ['windDirection', UNITS.degrees],
  wind_gusts: ['windGust', UNITS.kmh],
  visibility: ['visibility', UNITS.meters],
  wind_chill: ['windChill', UNITS.celsius],
  heat_index: ['heatIndex', UNITS.celsius],
} as const;

/** At most 50 objects with texts. */
const texts = <const Names extends readonly string[]>(...names: Names) =>
  maybe(atMost(50, objectOf(sameSchema(names, maybeText))));

/** Any value of an observation may be null. */
export const OBSERVATION = objectOf({
  properties: objectOf({
    timestamp: Joi.string().isoDate().required(),
    ...sameSchema(['textDescription', 'icon'], maybeText),
    presentWeather: texts('weather', 'intensity', 'modifier'),
    cloudLayers: texts('amount'),
    ...sameSchema(
      Object.values(MEASURED).map(([name]) => name),
      measured,
    ),
  }).required(),
});
type Observation = Validated<typeof OBSERVATION>;

/**
 * The current weather of an observation. The clouds have no percentage.
 *
 * The apparent temperature is, as the service defines it, the wind chill or the heat index, each of which exists only in its range
 * of temperatures, or the temperature (https://github.com/weather-gov/api/issues/7).
 * @throws UpstreamError (`bad_answer`) if a required value is in an unknown unit
 */
export function weatherOf({ properties }: Observation): RawTime {
  const { wind_chill, heat_index, ...values } = Object.fromEntries(
    Object.entries(MEASURED).map(([name, [member, units]]) => [
      name,
      valueIn(units, properties[member]),
    ]),
  ) as Record<keyof typeof MEASURED, number | undefined>;
  for (const name of ['temperature', 'humidity', 'wind_speed'] as const) {
    if (values[name] === undefined && acceptedNumber(properties[MEASURED[name][0]]) !== undefined) {
      throw new UpstreamError(NAME, 'bad_answer', 'a value is in an unknown unit');
    }
  }
  const index =
    roundedPlausibleValue('feels_like', wind_chill) ??
    roundedPlausibleValue('feels_like', heat_index);
  return {
    time: instantOf(properties.timestamp),
    ...values,
    weather_code: weatherCodeOf(properties),
    feels_like: index ?? values.temperature,
  };
}

/** The code of icon and words or, if they say nothing of the sky, of the present weather or of the clouds. */
function weatherCodeOf(properties: Observation['properties']): number | undefined {
  const { icon, textDescription, presentWeather, cloudLayers } = properties;
  const code = codeOf(icon, textDescription);
  if (code !== undefined && code !== UNKNOWN_CODE) return code;
  const present = (presentWeather ?? []).flatMap(
    ({ intensity, modifier, weather }) =>
      codeOfWords([intensity, modifier, weather].filter(Boolean).join(' ')) ?? [],
  );
  const clouds = (cloudLayers ?? []).flatMap(({ amount }) => codeOfWords(amount) ?? []);
  return present[0] ?? (clouds.length > 0 ? Math.max(...clouds) : code);
}
