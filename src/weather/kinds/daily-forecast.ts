import { isLocalTime } from '../time/local-time.js';
import { createMoon, type Moon } from '../time/moon.js';
import { DAYS, seriesKind } from './series.js';
import { sunTimes, type SunTimes } from '../time/sun.js';
import { nullable, type Quantities, type Values } from './values.js';

export const DAILY_QUANTITIES = {
  hasCode: true,
  required: ['temperature_max'],
  requiredOfWhole: ['temperature_min'],
  optional: [
    'temperature_min',
    'precipitation_probability',
    'precipitation',
    'wind_speed_max',
    'wind_gusts_max',
    'uv_index_max',
    'snowfall',
    'day_length',
    'moon_phase',
  ],
  notes: { temperature_min: 'Null for today if the provider has it only for a part of the date.' },
} as const satisfies Quantities;

/** The weather of the local date `date`. `weather_code` is that of the most severe weather. */
export type DailyWeather = Values<typeof DAILY_QUANTITIES> &
  Pick<SunTimes, 'sunrise' | 'sunset'> &
  Pick<Moon, 'moonrise' | 'moonset'> & { date: string };

export const MAX_FORECAST_DAYS = 14;
/** One day more than a response can have, so that an entry has enough days after midnight, too. */
export const FETCHED_DAYS = MAX_FORECAST_DAYS + 1;

const localOrNull = nullable(isLocalTime);

/** The weather of the next days: as many as the provider has. */
export const DAILY_FORECAST = seriesKind<DailyWeather, string>({
  name: 'forecast',
  granularity: DAYS,
  quantities: DAILY_QUANTITIES,
  maxSteps: FETCHED_DAYS,
  otherChecks: {
    sunrise: localOrNull,
    sunset: localOrNull,
    moonrise: localOrNull,
    moonset: localOrNull,
  },
  computed(point) {
    const moonOn = createMoon(point, point.timeZone);
    return (date) => ({ ...sunTimes(point, point.timeZone, date), ...moonOn(date) });
  },
});
