import { isCondition } from './conditions.js';
import { isDaylight } from './daylight.js';
import type { Kind } from './kind.js';
import { isPlausibleHumidity, isPlausibleTemperature, isPlausibleWindSpeed } from './plausible.js';
import { isPointRequest, pointKey, type PointRequest } from './point.js';
import { optional, readMembers, type MemberChecks } from './read-members.js';
import type { Point, Weather } from './types.js';

/** The current weather at a point. */
export const CURRENT_WEATHER: Kind<PointRequest, Weather> = {
  name: 'weather',
  keyOf: ({ point }) => pointKey(point),
  isRequest: isPointRequest,
  readValue: (input) => readMembers<Weather>(input, WEATHER),
};

const WEATHER: MemberChecks<Weather> = {
  temperature: isPlausibleTemperature,
  condition: isCondition,
  humidity: isPlausibleHumidity,
  wind_speed: isPlausibleWindSpeed,
  is_day: optional((value) => typeof value === 'boolean'),
};

/**
 * Whether it is day at a point: by the provider if it reports it, else by the position of the sun.
 * @param now milliseconds since the Unix epoch
 */
export function isDay(weather: Weather, point: Point, now: number): boolean {
  return weather.is_day ?? isDaylight(point, now);
}
