import type { WeatherProvider } from '../upstream/weather-provider.js';
import { camsResolution } from '../weather/kinds/cams-europe.js';
import type { CurrentKind } from '../weather/kinds/current-kind.js';
import { FETCHED_DAYS } from '../weather/kinds/daily-forecast.js';
import { HOUR_MS } from '../weather/time/durations.js';
import { POINT_KINDS } from '../weather/kinds/kinds.js';
import { QUANTITIES } from '../weather/kinds/quantities.js';
import type { SeriesKind } from '../weather/kinds/series.js';
import { isDaylight } from '../weather/time/sun.js';
import type { Point, ZonedPoint } from '../weather/types.js';
import type { Quantities, RawValues } from '../weather/kinds/values.js';
import { daysOfSteps, type ForecastStep } from './daily-steps.js';
import { readCurrent, readSeries } from './kind-values.js';
import type { ProviderOptions } from './provider-options.js';
import { dewPointOf, feelsLikeOf } from './weather-values.js';

const NAME = 'demo';

/** WMO codes from clear to stormy, for weather that is not below 0 °C, and for frost. */
const SKIES = [0, 1, 2, 3, 45, 61, 63, 95];
const FROSTY_SKIES = [0, 1, 2, 3, 45, 71, 73, 75];

/** Values that do not vary: the examples of the table of quantities, or 1. */
const EXAMPLES: RawValues = Object.fromEntries(
  Object.entries(QUANTITIES).map(([name, { example }]) => [name, example ?? 1]),
);

/** A number from 0 to 1: a sine with a period in hours. @param phase a part of the period */
const wave = (hour: number, periodHours: number, phase: number) =>
  (1 + Math.sin(2 * Math.PI * (hour / periodHours + phase))) / 2;

/** Invents an hour's weather: waves over the year, day, and some days, always equal for a point. */
function inventHour(point: Point, hour: number): ForecastStep {
  const { latitude, longitude } = point;
  const phase = (latitude * 7 + longitude * 3) / 10;
  const summer = wave(hour, 365.25 * 24, latitude < 0 ? 0.2 : 0.7);
  const afternoon = wave(hour + longitude / 15, 24, -0.375);
  const temperature =
    28 - latitude ** 2 / 110 + (Math.abs(latitude) / 3) * (summer - 0.5) + 8 * (afternoon - 0.5);
  const wetness = wave(hour, 61, phase);
  const skies = temperature < 0 ? FROSTY_SKIES : SKIES;
  const index = Math.min(Math.floor(wetness * skies.length), skies.length - 1);
  const windSpeed = 3 + 24 * wave(hour, 37, phase);
  const time = hour * HOUR_MS;
  const values = {
    ...EXAMPLES,
    time,
    resolution_km: camsResolution(point),
    from: time,
    to: time + HOUR_MS,
    temperature,
    humidity: 35 + 60 * wetness,
    weather_code: skies[index] ?? 0,
    pressure: 1025 - 25 * wetness,
    cloud_cover: 100 * wetness,
    precipitation: Math.max(0, index - 4) * 0.5,
    precipitation_probability: 90 * wetness,
    wind_speed: windSpeed,
    wind_direction: 360 * wave(hour, 96, phase),
    wind_gusts: windSpeed * 1.6,
    visibility: 24_000 - 20_000 * wetness,
    uv_index: isDaylight(point, time) ? 9 * afternoon * summer : 0,
  };
  return { ...values, feels_like: feelsLikeOf(values), dew_point: dewPointOf(values) };
}

/** The first invented hour, counted from now: before the beginning of today. */
const FIRST_HOUR = -26;
/** As many hours as all days can have. */
const HOURS_COUNT = (FETCHED_DAYS + 3) * 24;

/**
 * Invents weather that is the same for a place during each hour. Current weather, hours, and days
 * are made of the same hours, so they agree. It calls no service, so it works without a network.
 */
export function createDemo({
  clock,
  log,
}: Pick<ProviderOptions, 'clock' | 'log'>): Required<Omit<WeatherProvider, 'covers'>> {
  function invent(kind: (typeof POINT_KINDS)[number]['kind'], point: ZonedPoint) {
    const now = clock.now();
    const response = { body: Math.floor(now / HOUR_MS), referenceTimes: [now] };
    if (!('granularity' in kind)) {
      const current = kind as unknown as CurrentKind<Quantities>;
      return readCurrent(NAME, current, response, (hour) => inventHour(point, hour));
    }
    const hours = Array.from({ length: HOURS_COUNT }, (_, index) =>
      inventHour(point, response.body + FIRST_HOUR + index),
    );
    const days = daysOfSteps(hours, point.timeZone).map((day) => ({ ...EXAMPLES, ...day }));
    const steps = { time: hours, date: days }[kind.granularity.order];
    const series = kind as unknown as SeriesKind<object, never>;
    return readSeries(NAME, series, point, response, () => steps as never[]);
  }
  const abilities = POINT_KINDS.map(({ kind, ability }) => [
    ability,
    (point: ZonedPoint) => {
      log.warn({ event: 'demo_provider_used' });
      return Promise.resolve(invent(kind, point));
    },
  ]);
  return { name: NAME, ...Object.fromEntries(abilities) } as ReturnType<typeof createDemo>;
}
