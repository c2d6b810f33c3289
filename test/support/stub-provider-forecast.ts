import lookUp from '@photostructure/tz-lookup';
import { metSymbol, stubWeather, type Sky, type StubWeather } from './stub-provider-weather.js';

/** The daily forecast of the stub provider, as each of the real services gives it. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The weather of a date at a point, as the service must respond with it. */
interface StubDay {
  date: string;
  /** Degrees Celsius: multiples of five, which are whole degrees Fahrenheit, too. */
  min: number;
  max: number;
  probability: number;
  sky: Sky;
}

/** A point, and the local time there. */
export interface StubPlace {
  latitude: number;
  longitude: number;
  timeZone: string;
  /** Added to every temperature. */
  warmerBy: number;
}

/** Returns a point with its time zone. */
export function stubPlace(latitude: number, longitude: number, warmerBy = 0): StubPlace {
  return { latitude, longitude, warmerBy, timeZone: lookUp(latitude, longitude) };
}

/** The weather of a date: the same in every service, and different on every date. */
export function stubDay(place: StubPlace, date: string): StubDay {
  const day = Date.parse(date) / DAY_MS;
  const here = stubWeather(place.latitude, place.longitude + day);
  const min = Math.round(here.temperature / 5) * 5 + place.warmerBy;
  return { date, min, max: min + 10, probability: (here.humidity + day) % 101, sky: here.sky };
}

/** A date as the service must respond with it, without sunrise and sunset. */
export function dailyWeather({ date, min, max, sky, probability }: StubDay) {
  return {
    date,
    temperature_min: min,
    temperature_max: max,
    condition: sky.text,
    precipitation_probability: probability,
  };
}

/** The dates from one date on. */
export function datesFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Local time, such as `2026-11-24T07:31`. Computed in another way than in the service. */
function clockAt(timeZone: string, instant: number): string {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit' },
    ...{ day: '2-digit', hour: '2-digit', minute: '2-digit' },
  });
  const parts = format.formatToParts(instant).map(({ type, value }) => [type, value]);
  const { year, month, day, hour, minute } = Object.fromEntries(parts) as Record<string, string>;
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/** The date of today. */
export function today({ timeZone }: StubPlace): string {
  return clockAt(timeZone, Date.now()).slice(0, 10);
}

/** The weather of a time: the minimum before noon, the maximum after it. */
function weatherOfTime(place: StubPlace, instant: number) {
  const clock = clockAt(place.timeZone, instant);
  const day = stubDay(place, clock.slice(0, 10));
  const hour = Number(clock.slice(11, 13));
  return { ...day, temperature: hour < 12 ? day.min : day.max, isDay: hour >= 6 && hour < 18 };
}

/** The member `daily` of Open-Meteo: an array for each variable. */
export function openMeteoDaily(place: StubPlace, variables: string[], dayCount: number) {
  const days = datesFrom(today(place), dayCount).map((date) => stubDay(place, date));
  const known: Record<string, unknown[]> = {
    temperature_2m_min: days.map(({ min }) => min),
    temperature_2m_max: days.map(({ max }) => max),
    weather_code: days.map(({ sky }) => sky.wmo),
    precipitation_probability_max: days.map(({ probability }) => probability),
    sunrise: days.map(({ date }) => `${date}T07:31`),
    sunset: days.map(({ date }) => `${date}T16:23`),
  };
  return {
    unknown: variables.find((name) => !(name in known)),
    daily: {
      time: days.map(({ date }) => date),
      ...Object.fromEntries(variables.map((name) => [name, known[name]])),
    },
  };
}

/**
 * The time series of MET Norway: at least 54 steps of an hour, then 30 of six hours. The second step begins with the
 * current hour.
 * @param isComplete whether the periods have the values that only the complete format has
 */
export function metSteps(place: StubPlace, here: StubWeather, isComplete: boolean) {
  const first = Math.floor(Date.now() / HOUR_MS - 1) * HOUR_MS;
  // There is a step for each hour until a multiple of six hours.
  const next = Math.ceil((first + 54 * HOUR_MS) / (6 * HOUR_MS)) * 6 * HOUR_MS;
  const end = next + 29 * 6 * HOUR_MS;
  const steps: { at: number; hours: number }[] = [];
  for (let at = first; at < next; at += HOUR_MS) steps.push({ at, hours: 1 });
  for (let at = next; at <= end; at += 6 * HOUR_MS) steps.push({ at, hours: 6 });

  /** The period that begins with a step, and the weather of the day on which most of it lies. */
  const periodOf = (at: number, hours: number, symbol?: string) => {
    const day = dayOfPeriod(place, at, hours * HOUR_MS);
    const chance = { probability_of_precipitation: day.probability };
    const extremes = { air_temperature_max: day.max, air_temperature_min: day.min };
    return {
      summary: { symbol_code: symbol ?? metSymbol({ sky: day.sky, isDay: true }) },
      details: {
        ...(hours < 12 ? { precipitation_amount: 0 } : {}),
        ...(isComplete ? chance : {}),
        ...(isComplete && hours === 6 ? extremes : {}),
      },
    };
  };

  return steps.map(({ at, hours }, index) => {
    const { min, max, temperature } = weatherOfTime(place, at);
    const isNow = index === 1;
    // Between two coarse steps, it becomes colder and warmer than at their instants.
    const instant = hours === 1 ? temperature : (min + max) / 2;
    // A longer period is wrong on purpose: the shortest one is the best.
    const wrong = { summary: { symbol_code: 'heavysleet' }, details: {} };
    const has = (length: number) => at + length * HOUR_MS <= end;
    return {
      time: new Date(at).toISOString().replace('.000', ''),
      data: {
        instant: {
          details: {
            air_temperature: isNow ? here.temperature : instant,
            relative_humidity: here.humidity + 0.3,
            wind_speed: here.windMs,
          },
        },
        ...(has(12) ? { next_12_hours: wrong } : {}),
        ...(hours === 1
          ? { next_1_hours: periodOf(at, 1, isNow ? metSymbol(here) : undefined) }
          : {}),
        ...(hours === 1 && has(6) ? { next_6_hours: wrong } : {}),
        ...(hours === 6 && has(6) ? { next_6_hours: periodOf(at, 6) } : {}),
      },
    };
  });
}

/** The weather of the date on which most of a period lies; of the first date, if it lies on two dates equally. */
function dayOfPeriod(place: StubPlace, at: number, lengthMs: number): StubDay {
  const middle = clockAt(place.timeZone, at + lengthMs / 2 - 1);
  return stubDay(place, middle.slice(0, 10));
}

/** The forecast of OpenWeatherMap: forty steps of three hours. */
export function openWeatherMapSteps(place: StubPlace, metric: boolean) {
  const first = Math.ceil(Date.now() / (3 * HOUR_MS)) * 3 * HOUR_MS;
  return Array.from({ length: 40 }, (_, index) => {
    const at = first + index * 3 * HOUR_MS;
    const { temperature, isDay } = weatherOfTime(place, at);
    const { probability, sky } = dayOfPeriod(place, at, 3 * HOUR_MS);
    const temp = metric ? temperature : temperature + 273.15;
    return {
      dt: at / 1000,
      main: { temp, temp_min: temp - 2, temp_max: temp + 2, humidity: 50 },
      weather: [{ id: sky.owm, main: 'Sky', icon: isDay ? '04d' : '04n' }],
      pop: probability / 100,
      sys: { pod: isDay ? 'd' : 'n' },
      dt_txt: new Date(at).toISOString().slice(0, 19).replace('T', ' '),
    };
  });
}

/** The periods of api.weather.gov: daytimes and nights, of which the first has begun. */
export function weatherGovPeriods(place: StubPlace) {
  const now = Date.now();
  const clock = clockAt(place.timeZone, now);
  const yesterday = clockAt(place.timeZone, now - DAY_MS).slice(0, 10);
  const all = datesFrom(yesterday, 9).flatMap((date) => [
    { date, isDaytime: true, start: `${date}T06:00` },
    { date, isDaytime: false, start: `${date}T18:00` },
  ]);
  const offset = offsetOf(Date.parse(`${clock}Z`) - Math.floor(now / 60_000) * 60_000);
  const begun = all.findLastIndex(({ start }) => start <= clock);
  return all.slice(begun, begun + 14).map(({ date, isDaytime, start }, index) => {
    const { min, max, probability, sky } = stubDay(place, date);
    const [icon, shortForecast] = sky.nws;
    const time = isDaytime ? 'day' : 'night';
    const local = index === 0 ? `${clock.slice(0, 13)}:00` : start;
    return {
      number: index + 1,
      startTime: `${local}:00${offset}`,
      isDaytime,
      temperature: Math.round((isDaytime ? max : min) * 1.8 + 32),
      temperatureUnit: 'F',
      probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: probability },
      windSpeed: '5 to 10 mph',
      icon: `https://api.weather.gov/icons/land/${time}/${icon},40?size=medium`,
      shortForecast,
    };
  });
}

/** Such as `-08:00`. */
function offsetOf(ms: number): string {
  const minutes = Math.abs(ms) / 60_000;
  const text = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${ms < 0 ? '-' : '+'}${text.join(':')}`;
}
