import {
  dayAt,
  dayOfPeriod,
  map,
  rainOfPeriod,
  shownHour,
  withRepeated,
  type Shown,
} from './stub-provider-damage.js';
import { metSymbol } from './stub-provider-weather.js';
import { PATHS, type Stub } from './stub-provider-world.js';

/** MET Norway, as the stub provider serves it. */

const HOUR_MS = 3_600_000;

/** Roughly the area for which MET Norway has gusts and probabilities. */
export const isNordic = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  latitude > 54 && latitude < 73 && longitude > -12 && longitude < 32;

/**
 * The time series of MET Norway: 60 steps of an hour, then 30 of six hours. The second step begins
 * with the current hour, and has the current weather. The other hours have the minimum and the
 * maximum of their date in turn.
 */
function metSteps(here: Shown) {
  const first = Math.floor(here.now / HOUR_MS - 1) * HOUR_MS;
  const steps = Array.from({ length: 90 }, (_, index) => {
    const isHourly = index < 60;
    const hours = isHourly ? 1 : 6;
    const at = first + (isHourly ? index : 60 + (index - 60) * 6) * HOUR_MS;
    const { min, max } = dayAt(here, at);
    const day = dayOfPeriod(here, at, hours);
    const isPresent = index === 1;
    const hour = shownHour(here, at);
    const { sky } = isHourly ? hour : day;
    const extremes = { air_temperature_max: day.max, air_temperature_min: day.min };
    const period = {
      summary: sky && { symbol_code: metSymbol({ sky, isDay: isPresent ? here.isDay : true }) },
      details: {
        precipitation_amount: isPresent ? here.rain : rainOfPeriod(here, at, hours),
        ...(isNordic(here)
          ? { probability_of_precipitation: isHourly ? hour.probability : day.probability }
          : {}),
        ...(isHourly ? {} : extremes),
      },
    };
    const instant = isPresent ? here : hour;
    const details = {
      // Between two coarse steps, it becomes colder and warmer than at their instants.
      air_temperature: isHourly ? hour.temperature : map(min, (low) => (low + (max ?? low)) / 2),
      relative_humidity: map(hour.humidity, (humidity) => humidity + 0.3),
      wind_speed: hour.wind,
      wind_from_direction: instant.direction,
      cloud_area_fraction: map(instant.clouds, (clouds) => clouds + 0.3),
      air_pressure_at_sea_level: here.pressure,
      dew_point_temperature: here.dewPoint,
      ultraviolet_index_clear_sky: 9.9,
      ...(isNordic(here) && isHourly ? { wind_speed_of_gust: instant.gustMs } : {}),
    };
    const step = {
      time: new Date(at).toISOString().replace('.000', ''),
      // A step without a symbol has no period.
      data: { instant: { details }, ...(sky ? { [`next_${hours}_hours`]: period } : {}) },
    };
    return { at, step };
  });
  return withRepeated(here, steps);
}

export const MET_NORWAY: Stub = {
  apis: { [PATHS.metNorway]: (here) => ({ properties: { timeseries: metSteps(here) } }) },
};
