import { conditionOf } from '../weather/conditions.js';
import type { WeatherProvider } from '../upstream/weather-provider.js';
import type { Clock } from '../weather/types.js';
import { degrees, toWeather } from './weather-values.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Mid-July: the warmest time north of the equator. */
const WARMEST_DAY = 196;
const DAYS_OF_YEAR = 365.25;

const DRY_CODES = [0, 1, 2, 3, 45];
const WET_CODES = [51, 61, 63, 80, 95];
const SNOW_CODES = [71, 73, 75, 85];

/**
 * Invented weather, the same for a place during each hour: warm near the equator, in summer and in
 * the afternoon. It calls no service, so that it works on a development machine without internet.
 * @param onInvented called each time
 */
export function createDemo(clock: Clock, onInvented: () => void): WeatherProvider {
  const name = 'demo';
  return {
    name,
    current(point) {
      onInvented();
      const hour = Math.floor(clock.now() / HOUR_MS);
      const { latitude, longitude } = degrees(point);
      const dice = createDice(`${latitude},${longitude},${hour}`);
      const temperature = climate(point.latitude, point.longitude, hour) + 6 * dice() - 3;
      const wet = dice() < 0.35;
      const choices = wet ? (temperature < 0.5 ? SNOW_CODES : WET_CODES) : DRY_CODES;
      const value = toWeather(name, {
        temperature,
        humidity: (wet ? 70 : 35) + 28 * dice(),
        windSpeed: 2 + 30 * dice() ** 2,
        condition: conditionOf(choices[Math.floor(dice() * choices.length)] ?? 0),
      });
      return Promise.resolve({ value });
    },
  };
}

/** Degrees Celsius to expect at a place in an hour, counted from the Unix epoch. */
function climate(latitude: number, longitude: number, hour: number): number {
  const dayOfYear = ((hour * HOUR_MS) / DAY_MS) % DAYS_OF_YEAR;
  const localHour = (hour % 24) + longitude / 15;
  const yearly = Math.cos((2 * Math.PI * (dayOfYear - WARMEST_DAY)) / DAYS_OF_YEAR);
  const daily = Math.cos((2 * Math.PI * (localHour - 15)) / 24);
  return 28 - latitude ** 2 / 110 + (latitude / 90) * 20 * yearly + 4 * daily;
}

/** Numbers from 0 to 1 that follow from the seed alone (FNV-1a, then mulberry32). */
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
