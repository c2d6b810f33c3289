import type { CompleteProvider } from '../upstream/weather-provider.js';
import { conditionOf } from '../weather/conditions.js';
import { MAX_FORECAST_DAYS, type DailyWeather } from '../weather/daily-forecast.js';
import { DAY_MS, HOUR_MS } from '../weather/durations.js';
import { hourlyForecast, MAX_FORECAST_HOURS } from '../weather/hourly-forecast.js';
import { localDate } from '../weather/local-time.js';
import { sunTimes } from '../weather/sun.js';
import type { Clock, Point, Weather } from '../weather/types.js';
import { inventHour, rounded, type InventedHour } from './demo-hour.js';
import { timeZoneAt } from './time-zone.js';

/** The longest day of the year with a clock change, rounded up to hours. */
const HOURS_OF_LONGEST_DAY = 26;

/**
 * Invents weather: it is the same for a place during each hour, and warm near the equator, in summer, and in the afternoon.
 * Current weather, hours, and days are made of the same hours, so they agree. It calls no service, so it works on a
 * development machine without a network. It has every ability, so that a development process serves every endpoint.
 * @param onInvented called each time
 */
export function createDemo(clock: Clock, onInvented: () => void): CompleteProvider {
  const presentHour = () => Math.floor(clock.now() / HOUR_MS);
  return {
    name: 'demo',
    current(point) {
      onInvented();
      return Promise.resolve({ value: weatherOf(inventHour(point, presentHour())) });
    },
    daily(point) {
      onInvented();
      const timezone = timeZoneAt(point);
      return Promise.resolve({
        value: { timezone, days: inventDays(point, timezone, clock.now()) },
      });
    },
    hourly(point) {
      onInvented();
      const first = presentHour();
      const hours = range(first, first + MAX_FORECAST_HOURS).map((hour) => inventHour(point, hour));
      return Promise.resolve({ value: hourlyForecast(timeZoneAt(point), hours) });
    },
  };
}

function weatherOf(hour: InventedHour): Weather {
  return {
    time: hour.time,
    temperature: hour.temperature,
    feels_like: hour.feels_like,
    condition: hour.condition,
    humidity: hour.humidity,
    dew_point: hour.dew_point,
    pressure: hour.pressure,
    cloud_cover: hour.cloud_cover,
    precipitation: hour.precipitation,
    wind_speed: hour.wind_speed,
    wind_direction: hour.wind_direction,
    wind_gusts: hour.wind_gusts,
    visibility: hour.visibility,
    uv_index: hour.uv_index,
  };
}

/** The days from the local date of today on. */
function inventDays(point: Point, timeZone: string, now: number): DailyWeather[] {
  const dateOf = (instant: number) => localDate(timeZone, instant) ?? '';
  const dates = new Map<string, InventedHour[]>();
  const today = dateOf(now);
  const hour = Math.floor(now / HOUR_MS);
  const end = hour + ((MAX_FORECAST_DAYS + 1) * DAY_MS) / HOUR_MS;
  for (const each of range(hour - HOURS_OF_LONGEST_DAY, end)) {
    const invented = inventHour(point, each);
    const { time } = invented;
    // In a time zone with a half hour, an hour lies on two dates at midnight.
    for (const date of new Set([dateOf(time), dateOf(time + HOUR_MS - 1)])) {
      if (date < today || (dates.size === MAX_FORECAST_DAYS && !dates.has(date))) continue;
      dates.set(date, [...(dates.get(date) ?? []), invented]);
    }
  }
  return Array.from(dates, ([date, hours]) => {
    const began = hours.filter(({ time }) => dateOf(time) === date);
    return {
      date,
      ...summaryOf(hours),
      precipitation: rounded('precipitation', sumOf(began.map((each) => each.precipitation))),
      ...sunTimes(point, timeZone, date),
    };
  });
}

/** Summarizes the hours of a date by their extremes. */
function summaryOf(hours: InventedHour[]) {
  const most = (valueOf: (hour: InventedHour) => number) => Math.max(...hours.map(valueOf));
  return {
    temperature_min: Math.min(...hours.map(({ temperature }) => temperature)),
    temperature_max: most(({ temperature }) => temperature),
    condition: conditionOf(most(({ code }) => code)),
    precipitation_probability: most((hour) => hour.precipitation_probability),
    wind_speed_max: most((hour) => hour.wind_speed),
    wind_gusts_max: most((hour) => hour.wind_gusts),
    uv_index_max: most((hour) => hour.uv_index),
  };
}

const sumOf = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

/** The whole numbers from the first one to before the end. */
const range = (first: number, end: number) =>
  Array.from({ length: end - first }, (_, index) => first + index);
