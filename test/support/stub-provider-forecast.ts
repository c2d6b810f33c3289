import lookUp from '@photostructure/tz-lookup';
import { metSymbol, stubWeather, type Sky, type StubWeather } from './stub-provider-weather.js';

/** The daily forecast of the stub provider, as each of the real services gives it. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The weather of a date at a point, as the service must respond with it. */
export interface StubDay {
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

/** @param timeZone in place of the zone at the point */
export function stubPlace(
  latitude: number,
  longitude: number,
  { warmerBy = 0, timeZone }: { warmerBy?: number; timeZone?: string | undefined } = {},
): StubPlace {
  return { latitude, longitude, warmerBy, timeZone: timeZone ?? lookUp(latitude, longitude) };
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
export function clockAt(timeZone: string, instant: number): string {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit' },
    ...{ day: '2-digit', hour: '2-digit', minute: '2-digit' },
  });
  const parts = format.formatToParts(instant).map(({ type, value }) => [type, value]);
  const { year, month, day, hour, minute } = Object.fromEntries(parts) as Record<string, string>;
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/** The date of today. */
export function today({ timeZone }: StubPlace, now = Date.now()): string {
  return clockAt(timeZone, now).slice(0, 10);
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
  const sun = days.map(({ date }) => sunOf(place, date));
  const known: Record<string, unknown[]> = {
    temperature_2m_min: days.map(({ min }) => min),
    temperature_2m_max: days.map(({ max }) => max),
    weather_code: days.map(({ sky }) => sky.wmo),
    precipitation_probability_max: days.map(({ probability }) => probability),
    sunrise: sun.map(([rise]) => rise),
    sunset: sun.map(([, set]) => set),
  };
  return {
    unknown: variables.find((name) => !(name in known)),
    daily: {
      time: days.map(({ date }) => date),
      ...Object.fromEntries(variables.map((name) => [name, known[name]])),
    },
  };
}

/** On a day of polar night both are midnight; on a day of polar day the sun sets at the next midnight. */
function sunOf({ latitude }: StubPlace, date: string): string[] {
  const [, tomorrow] = datesFrom(date, 2);
  if (latitude >= 80) return [`${date}T00:00`, `${date}T00:00`];
  if (latitude <= -80) return [`${date}T00:00`, `${tomorrow}T00:00`];
  return [`${date}T07:31`, `${date}T16:23`];
}

/** The time series of MET Norway: 54 steps of an hour, then 30 of six hours. The second is the one for now. */
export function metSteps(place: StubPlace, here: StubWeather, now = Date.now()) {
  const first = Math.floor(now / HOUR_MS - 1) * HOUR_MS;
  const hourly = Array.from({ length: 54 }, (_, index) => first + index * HOUR_MS);
  const next = Math.ceil((first + 54 * HOUR_MS) / (6 * HOUR_MS)) * 6 * HOUR_MS;
  // Until the next multiple of six hours, too, there is a step for each hour.
  for (let at = first + 54 * HOUR_MS; at < next; at += HOUR_MS) hourly.push(at);
  const sixHourly = Array.from({ length: 30 }, (_, index) => next + index * 6 * HOUR_MS);
  const steps = [
    ...hourly.map((at) => ({ at, hours: 1 })),
    ...sixHourly.map((at) => ({ at, hours: 6 })),
  ];
  return steps.map(({ at, hours }, index) => {
    const later = weatherOfTime(place, at);
    const isNow = index === 1;
    const symbol = metSymbol(isNow ? here : later);
    const period = (code: string, amount = 0) => ({
      summary: { symbol_code: code },
      details: { precipitation_amount: amount },
    });
    const isLast = index === steps.length - 1;
    return {
      time: new Date(at).toISOString().replace('.000', ''),
      data: {
        instant: {
          details: {
            air_temperature: isNow ? here.temperature : later.temperature,
            relative_humidity: here.humidity + 0.3,
            wind_speed: here.windMs,
          },
        },
        // Wrong on purpose: a shorter period is the better one.
        ...(hours === 1
          ? { next_12_hours: period('heavysleet'), next_1_hours: period(symbol) }
          : {}),
        ...(hours === 6 && !isLast ? { next_6_hours: period(symbol) } : {}),
      },
    };
  });
}

/** The forecast of OpenWeatherMap: forty steps of three hours. */
export function openWeatherMapSteps(place: StubPlace, metric: boolean, now = Date.now()) {
  const first = Math.ceil(now / (3 * HOUR_MS)) * 3 * HOUR_MS;
  return Array.from({ length: 40 }, (_, index) => {
    const at = first + index * 3 * HOUR_MS;
    const { temperature, probability, sky, isDay } = weatherOfTime(place, at);
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
export function weatherGovPeriods(place: StubPlace, now = Date.now()) {
  const clock = clockAt(place.timeZone, now);
  const [yesterday = ''] = datesFrom(clock.slice(0, 10), 1).map((date) =>
    new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10),
  );
  const all = datesFrom(yesterday, 9).flatMap((date) => [
    { date, isDaytime: true, start: `${date}T06:00` },
    { date, isDaytime: false, start: `${date}T18:00` },
  ]);
  const offset = offsetOf(Date.parse(`${clock}Z`) - Math.floor(now / 60_000) * 60_000);
  const begun = all.findLastIndex(({ start }) => start <= clock);
  return all.slice(begun, begun + 14).map(({ date, isDaytime, start }, index) => {
    const { min, max, probability, sky } = stubDay(place, date);
    const [icon, shortForecast] = sky.nws;
    const local = index === 0 && start < clock ? `${clock.slice(0, 13)}:00` : start;
    return {
      number: index + 1,
      startTime: `${local}:00${offset}`,
      isDaytime,
      temperature: Math.round((isDaytime ? max : min) * 1.8 + 32),
      temperatureUnit: 'F',
      probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: probability },
      windSpeed: '5 to 10 mph',
      icon: `https://api.weather.gov/icons/land/${isDaytime ? 'day' : 'night'}/${icon},40?size=medium`,
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
