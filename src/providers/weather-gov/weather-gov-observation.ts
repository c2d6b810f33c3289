import Joi from 'joi';
import { UpstreamError } from '../../base/errors.js';
import { atMost } from '../../upstream/schema.js';
import type { Maybe } from '../../weather/types.js';
import { plausible } from '../../weather/plausible.js';
import {
  instantOf,
  KMH_PER_MS,
  maybeNumber,
  maybeText,
  type RawWeather,
} from '../weather-values.js';
import { conditionOfIcon, conditionOfIconName } from './weather-gov-icons.js';

interface Measured {
  value?: Maybe<number>;
  unitCode?: Maybe<string>;
  /** The result of MADIS quality control (https://madis-data.cprk.ncep.noaa.gov/doc/qc_info.txt). */
  qualityControl?: Maybe<string>;
}

/** The measurements. An observation may lack any of them. */
const MEASURED = [
  'temperature',
  'relativeHumidity',
  'windSpeed',
  'windChill',
  'heatIndex',
  'dewpoint',
  'windDirection',
  'windGust',
  'seaLevelPressure',
  'visibility',
  'precipitationLastHour',
] as const;

/** Any value of an observation may be null. */
export interface Observation {
  properties: {
    timestamp: string;
    textDescription?: Maybe<string>;
    icon?: Maybe<string>;
    presentWeather?: Maybe<{ weather?: Maybe<string>; intensity?: Maybe<string> }[]>;
  } & Partial<Record<(typeof MEASURED)[number], Maybe<Measured>>>;
}

const measured = Joi.object({
  value: maybeNumber,
  unitCode: maybeText,
  qualityControl: maybeText,
}).allow(null);

export const OBSERVATION = Joi.object<Observation>({
  properties: Joi.object({
    timestamp: Joi.string().isoDate().required(),
    textDescription: maybeText,
    icon: maybeText,
    presentWeather: atMost(
      50,
      Joi.array().items(Joi.object({ weather: maybeText, intensity: maybeText })),
    ).allow(null),
    ...Object.fromEntries(MEASURED.map((name) => [name, measured])),
  }).required(),
});

/** Failed a check, and rejected by hand. */
const REJECTED = ['X', 'B'];

/** The factors by which a number in each known unit is multiplied. */
const CELSIUS = { 'wmoUnit:degC': 1 };
const PERCENT = { 'wmoUnit:percent': 1 };
const KMH = { 'wmoUnit:km_h-1': 1, 'wmoUnit:m_s-1': KMH_PER_MS };
const DEGREES = { 'wmoUnit:degree_(angle)': 1 };
const HECTOPASCALS = { 'wmoUnit:Pa': 0.01, 'wmoUnit:hPa': 1 };
const METERS = { 'wmoUnit:m': 1 };
const MILLIMETERS = { 'wmoUnit:mm': 1, 'wmoUnit:m': 1000 };

/** A number; undefined if it is missing, was rejected, or is in a unit that is not in `units`. */
function inUnit(measured: Maybe<Measured>, units: Record<string, number>): number | undefined {
  const value = accepted(measured);
  const factor = units[measured?.unitCode ?? ''];
  return value === undefined || factor === undefined ? undefined : value * factor;
}

function accepted(measured: Maybe<Measured>): number | undefined {
  if (measured?.value == null || REJECTED.includes(measured.qualityControl ?? '')) return undefined;
  return measured.value;
}

/**
 * The current weather of an observation. `seaLevelPressure` can be missing where `barometricPressure`, which is for
 * altimeters, is not: they differ in the mountains. The clouds have no percentage. No precipitation can mean that none was
 * measured, so it is not 0.
 * @throws UpstreamError (`bad_answer`) if a required value is in an unknown unit
 */
export function weatherOf(upstream: string, { properties }: Observation): RawWeather {
  const required = (measured: Maybe<Measured>, units: Record<string, number>) => {
    const value = inUnit(measured, units);
    if (value !== undefined || accepted(measured) === undefined) return value;
    throw new UpstreamError(upstream, 'bad_answer', 'a value is in an unknown unit');
  };
  const temperature = required(properties.temperature, CELSIUS);
  const windSpeed = required(properties.windSpeed, KMH);
  const windDirection = inUnit(properties.windDirection, DEGREES);
  return {
    at: instantOf(properties.timestamp),
    temperature,
    humidity: required(properties.relativeHumidity, PERCENT),
    windSpeed,
    condition: conditionOf(properties),
    feelsLike: feelsLike(properties, temperature),
    dewPoint: inUnit(properties.dewpoint, CELSIUS),
    pressure: inUnit(properties.seaLevelPressure, HECTOPASCALS),
    precipitation: inUnit(properties.precipitationLastHour, MILLIMETERS),
    // A calm is reported as 0 km/h from 0°, which is not wind from the north.
    windDirection: windSpeed === 0 && windDirection === 0 ? undefined : windDirection,
    windGusts: inUnit(properties.windGust, KMH),
    visibility: inUnit(properties.visibility, METERS),
  };
}

/**
 * The apparent temperature, as the service defines it: the wind chill or the heat index, each of which exists only in its
 * range of temperatures, or the temperature (https://github.com/weather-gov/api/issues/7).
 */
function feelsLike(properties: Observation['properties'], temperature: number | undefined) {
  const indexes = [properties.windChill, properties.heatIndex].map((index) =>
    plausible('feels_like', inUnit(index, CELSIUS)),
  );
  return indexes.find((index) => index !== null) ?? temperature;
}

/** The name of the icon for each kind of present weather. The kinds that are not here have none. */
const ICONS: ReadonlyMap<string, string> = new Map([
  ['thunderstorms', 'tsra'],
  ['funnel_cloud', 'tornado'],
  ['snow', 'snow'],
  ['snow_pellets', 'snow'],
  ['snow_grains', 'snow'],
  ['ice_crystals', 'snow'],
  ['ice_pellets', 'sleet'],
  ['hail', 'sleet'],
  ['rain', 'rain'],
  ['drizzle', 'rain'],
  ['fog', 'fog'],
  ['fog_mist', 'fog'],
  ['haze', 'haze'],
  ['smoke', 'smoke'],
  ['dust', 'dust'],
]);

/** The condition of the icon or, if there is none, of the first kind of present weather that has an icon. */
function conditionOf({ icon, textDescription, presentWeather }: Observation['properties']) {
  if (icon) return conditionOfIcon(icon, textDescription ?? '');
  for (const { weather, intensity } of presentWeather ?? []) {
    const name = ICONS.get(weather ?? '');
    if (name) return conditionOfIconName(name, intensity ?? '');
  }
  return undefined;
}
