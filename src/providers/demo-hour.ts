import { conditionOf } from '../weather/conditions.js';
import { HOUR_MS } from '../weather/durations.js';
import { dewPoint, feelsLike } from '../weather/feels-like.js';
import type { HourlyWeather } from '../weather/hourly-forecast.js';
import { pointKey } from '../weather/point.js';
import { plausible, type Quantity } from '../weather/plausible.js';
import type { Point } from '../weather/types.js';

/** Every value of an hour. Only the dew point of completely dry air does not exist, and that is not invented. */
export type InventedHour = {
  [Name in keyof HourlyWeather]: NonNullable<HourlyWeather[Name]>;
} & Record<'dew_point' | 'pressure' | 'visibility' | 'uv_index' | 'code', number>;

/** Day of the year: mid-July, the warmest time north of the equator. */
const WARMEST_DAY = 196;
/** Hour of the day. */
const WARMEST_HOUR = 15;
/** Degrees Celsius between the mean of a day and its warmest or coldest hour. */
const DAILY_SWING = 4;
const DAYS_OF_YEAR = 365.25;
/** Day of the year: the northern summer solstice. */
const SOLSTICE = 172;
/** Degrees of latitude at which the sun is in the zenith on that day. */
const TROPIC = 23.44;

/** The skies: WMO code, percent of clouds, and millimeters of precipitation in an hour. */
const CLEAR = { code: 0, clouds: 4, rain: 0 };
const DRY = [
  CLEAR,
  { code: 1, clouds: 22, rain: 0 },
  { code: 2, clouds: 55, rain: 0 },
  { code: 3, clouds: 94, rain: 0 },
  { code: 45, clouds: 100, rain: 0 },
];
const WET = [
  { code: 51, clouds: 95, rain: 0.2 },
  { code: 61, clouds: 97, rain: 0.8 },
  { code: 63, clouds: 100, rain: 2.4 },
  { code: 80, clouds: 78, rain: 1.2 },
  { code: 95, clouds: 100, rain: 4.5 },
];
const SNOWY = [
  { code: 71, clouds: 95, rain: 0.3 },
  { code: 73, clouds: 98, rain: 0.9 },
  { code: 75, clouds: 100, rain: 2.2 },
  { code: 85, clouds: 80, rain: 0.6 },
];
const FOG = 45;
/** Hours for which a sky lasts. */
const SKY_HOURS = 4;

/** Rounds a value that is always possible. */
export const rounded = (name: Quantity, value: number): number => plausible(name, value) ?? 0;

/** Invents the weather of an hour: always the same for a point. @param hour hours since the Unix epoch */
export function inventHour(point: Point, hour: number): InventedHour {
  const place = pointKey(point);
  const dice = createDice(`${place},${hour}`);
  const noise = (name: string, hours: number) => smoothNoise(`${place},${name}`, hour / hours);
  const temperature = rounded('temperature', climate(point, hour) + 8 * noise('warmth', 12) - 4);
  const sky = skyAt(place, hour, temperature);
  const isWet = sky.rain > 0;
  const humidity = rounded(
    'humidity',
    sky.code === FOG ? 98 : (isWet ? 72 : 36) + 24 * noise('humidity', 6),
  );
  const windSpeed = rounded('wind_speed', 2 + 34 * noise('wind', 8) ** 2);
  return {
    time: hour * HOUR_MS,
    temperature,
    condition: conditionOf(sky.code),
    code: sky.code,
    humidity,
    feels_like: rounded('feels_like', feelsLike(temperature, humidity, windSpeed) ?? temperature),
    dew_point: rounded('dew_point', dewPoint(temperature, humidity) ?? temperature),
    pressure: rounded('pressure', (isWet ? 990 : 1004) + 28 * noise('pressure', 24)),
    cloud_cover: sky.clouds,
    precipitation: rounded('precipitation', sky.rain * (0.6 + 0.8 * dice())),
    precipitation_probability: rounded(
      'precipitation_probability',
      isWet ? 60 + 38 * dice() : (sky.clouds / 4) * dice(),
    ),
    wind_speed: windSpeed,
    wind_direction: rounded('wind_direction', 360 * noise('direction', 24)),
    wind_gusts: rounded('wind_gusts', windSpeed * (1.4 + 0.5 * dice())),
    visibility: sky.code === FOG ? 400 : isWet ? 9000 : 24_000,
    uv_index: rounded('uv_index', 12 * sunHeight(point, hour) * (1 - 0.006 * sky.clouds)),
  };
}

function skyAt(place: string, hour: number, temperature: number) {
  const dice = createDice(`${place},sky,${Math.floor(hour / SKY_HOURS)}`);
  const isWet = dice() < 0.25;
  const wet = temperature < 0.5 ? SNOWY : WET;
  const skies = isWet ? wet : DRY;
  // The first ones are the most frequent.
  return skies[Math.floor(dice() ** 1.6 * skies.length)] ?? CLEAR;
}

/** The usual temperature at a point in degrees Celsius. @param hour hours since the Unix epoch */
function climate({ latitude, longitude }: Point, hour: number): number {
  const yearly = yearlyWave(hour, WARMEST_DAY);
  const daily = Math.cos((2 * Math.PI * (solarHour(longitude, hour) - WARMEST_HOUR)) / 24);
  return 28 - latitude ** 2 / 110 + (latitude / 90) * 20 * yearly + DAILY_SWING * daily;
}

/** The sine of the altitude of the sun, in simple terms; 0 at night. */
function sunHeight({ latitude, longitude }: Point, hour: number): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const declination = radians(TROPIC * yearlyWave(hour, SOLSTICE));
  const hourAngle = radians((solarHour(longitude, hour) - 12) * 15);
  const sine =
    Math.sin(radians(latitude)) * Math.sin(declination) +
    Math.cos(radians(latitude)) * Math.cos(declination) * Math.cos(hourAngle);
  return Math.max(0, sine);
}

const solarHour = (longitude: number, hour: number) => (hour % 24) + longitude / 15;

/** From -1 to 1: highest on a day of the year. */
function yearlyWave(hour: number, highest: number): number {
  return Math.cos((2 * Math.PI * (((hour / 24) % DAYS_OF_YEAR) - highest)) / DAYS_OF_YEAR);
}

/** A number from 0 to 1 that changes steadily with `at`. */
function smoothNoise(seed: string, at: number): number {
  const before = Math.floor(at);
  const [from, to] = [before, before + 1].map((step) => createDice(`${seed},${step}`)());
  return (from ?? 0) + ((to ?? 0) - (from ?? 0)) * (at - before);
}

/** Returns a generator of numbers from 0 to 1 that depend only on the seed (FNV-1a, then mulberry32). */
function createDice(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
