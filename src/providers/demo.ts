import { conditionOf } from '../weather/conditions.js';
import { MAX_FORECAST_DAYS } from '../weather/daily-forecast.js';
import { HOUR_MS } from '../weather/durations.js';
import { addDays, localDate } from '../weather/local-time.js';
import type { CompleteProvider } from '../upstream/weather-provider.js';
import type { Clock, Point } from '../weather/types.js';
import { toForecast, type RawDay } from './daily-values.js';
import { timeZoneAt } from './time-zone.js';
import { degrees, toWeather } from './weather-values.js';

/** Day of the year: mid-July, the warmest time north of the equator. */
const WARMEST_DAY = 196;
/** Hour of the day. */
const WARMEST_HOUR = 15;
/** Degrees Celsius between the mean of a day and its warmest or coldest hour. */
const DAILY_SWING = 4;
const DAYS_OF_YEAR = 365.25;

const DRY_CODES = [0, 1, 2, 3, 45];
const WET_CODES = [51, 61, 63, 80, 95];
const SNOW_CODES = [71, 73, 75, 85];

/**
 * Invents weather: it is the same for a place during each hour, and warm near the equator, in summer, and in the afternoon.
 * A daily forecast is the same during each day. It calls no service, so it works on a development machine without a network. It has every
 * ability, so that a development process serves every endpoint.
 * @param onInvented called each time
 */
export function createDemo(clock: Clock, onInvented: () => void): CompleteProvider {
  const name = 'demo';
  return {
    name,
    current(point) {
      onInvented();
      const now = clock.now();
      const hour = Math.floor(now / HOUR_MS);
      const dice = createDice(seedOf(point, hour));
      const temperature = climate(point, hour) + 6 * dice() - 3;
      const sky = inventSky(dice, temperature);
      const raw = {
        at: now,
        temperature,
        humidity: (sky.isWet ? 70 : 35) + 28 * dice(),
        windSpeed: 2 + 30 * dice() ** 2,
        condition: sky.condition,
      };
      return Promise.resolve({ value: toWeather(name, raw, now), presentAt: now });
    },
    daily(point) {
      onInvented();
      const timeZone = timeZoneAt(point);
      const now = clock.now();
      const today = localDate(timeZone, now) ?? '';
      const days = Array.from({ length: MAX_FORECAST_DAYS }, (_, index) =>
        inventDay(point, addDays(today, index)),
      );
      const value = toForecast(name, { point, timeZone, days }, now);
      return Promise.resolve({ value, presentAt: now });
    },
  };
}

function inventDay(point: Point, date: string): RawDay {
  const dice = createDice(seedOf(point, date));
  const warmestHour = Date.parse(date) / HOUR_MS + WARMEST_HOUR - point.longitude / 15;
  const max = climate(point, warmestHour) + 6 * dice() - 3;
  const sky = inventSky(dice, max);
  return {
    date,
    min: max - 2 * DAILY_SWING - 3 * dice(),
    max,
    condition: sky.condition,
    precipitationProbability: (sky.isWet ? 50 : 0) + 50 * dice(),
  };
}

function inventSky(dice: () => number, temperature: number) {
  const isWet = dice() < 0.35;
  const wetCodes = temperature < 0.5 ? SNOW_CODES : WET_CODES;
  const codes = isWet ? wetCodes : DRY_CODES;
  return { isWet, condition: conditionOf(codes[Math.floor(dice() * codes.length)] ?? 0) };
}

/** @param time an hour or a date */
function seedOf(point: Point, time: number | string): string {
  const { latitude, longitude } = degrees(point);
  return `${latitude},${longitude},${time}`;
}

/** The usual temperature at a point in degrees Celsius. @param hour hours since the Unix epoch */
function climate({ latitude, longitude }: Point, hour: number): number {
  const dayOfYear = (hour / 24) % DAYS_OF_YEAR;
  const localHour = (hour % 24) + longitude / 15;
  const yearly = Math.cos((2 * Math.PI * (dayOfYear - WARMEST_DAY)) / DAYS_OF_YEAR);
  const daily = Math.cos((2 * Math.PI * (localHour - WARMEST_HOUR)) / 24);
  return 28 - latitude ** 2 / 110 + (latitude / 90) * 20 * yearly + DAILY_SWING * daily;
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
