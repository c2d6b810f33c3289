import lookUp from '@photostructure/tz-lookup';
import { dewPoint } from '../../src/weather/feels-like.js';
import { seedOf } from './random.js';

/** A condition, as each of the services reports it. */
export interface Sky {
  wmo: number;
  /** Without its suffix for day and night. */
  met: string;
  owm: number;
  /** Icon and words of api.weather.gov. */
  nws: [icon: string, text: string];
  text: string;
}

const SKIES: Sky[] = [
  { wmo: 0, met: 'clearsky', owm: 800, nws: ['skc', 'Clear'], text: 'Clear sky' },
  { wmo: 1, met: 'fair', owm: 801, nws: ['few', 'Mostly Clear'], text: 'Mainly clear' },
  { wmo: 2, met: 'partlycloudy', owm: 802, nws: ['sct', 'Partly Cloudy'], text: 'Partly cloudy' },
  { wmo: 3, met: 'cloudy', owm: 804, nws: ['ovc', 'Cloudy'], text: 'Overcast' },
  { wmo: 45, met: 'fog', owm: 741, nws: ['fog', 'Fog'], text: 'Fog' },
  { wmo: 61, met: 'lightrain', owm: 500, nws: ['rain', 'Light Rain'], text: 'Slight rain' },
  { wmo: 63, met: 'rain', owm: 501, nws: ['rain', 'Rain'], text: 'Moderate rain' },
  { wmo: 75, met: 'heavysnow', owm: 602, nws: ['snow', 'Heavy Snow'], text: 'Heavy snow fall' },
];

/** The WMO code of a text of one of the skies. */
export const codeOfText = (text: string) => SKIES.find((sky) => sky.text === text)?.wmo ?? null;

/** The current weather at a point. */
export interface StubWeather {
  latitude: number;
  longitude: number;
  timeZone: string;
  temperature: number;
  humidity: number;
  /** Meters per second, one decimal. */
  windMs: number;
  /** The same in km/h, with one decimal, as the service must respond with it. */
  windKmh: number;
  sky: Sky;
  isDay: boolean;
  feelsLike: number;
  dewPoint: number;
  /** Hectopascals at sea level. */
  pressure: number;
  clouds: number;
  /** Millimeters per hour. */
  rain: number;
  /** A multiple of 22.5 degrees, as api.weather.gov has it in its forecasts. */
  direction: number;
  gustMs: number;
  /** Meters, at most 10,000: OpenWeatherMap has no more. */
  visibility: number;
  uv: number;
}

/** The symbols that have a suffix for day and night. */
const WITH_SUFFIX = ['clearsky', 'fair', 'partlycloudy'];

/** The symbol of MET Norway for a condition. */
export function metSymbol({ sky, isDay }: Pick<StubWeather, 'sky' | 'isDay'>): string {
  if (!WITH_SUFFIX.includes(sky.met)) return sky.met;
  return `${sky.met}_${isDay ? 'day' : 'night'}`;
}

export const oneDecimal = (value: number) => Math.round(value * 10) / 10;

/**
 * Miles per hour that are the same kilometers per hour if the meters per second are rounded to one
 * decimal before. None is 0: without wind, there is no direction.
 */
const WINDS_MPH = [2, 6, 13, 15, 17, 19, 38];
export const msOfMph = (mph: number) => oneDecimal(mph * 0.44704);
export const kmhOfMph = (mph: number) => oneDecimal(mph * 1.609344);

/** Because of the final mixing, neighboring coordinates differ in every value. */
function hash(text: string): number {
  let value = seedOf(text);
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

/** The stub provider's weather: the same for a point in every service, and unlike other points. */
export function stubWeather(latitude: number, longitude: number): StubWeather {
  const seed = hash(`${latitude.toFixed(4)},${longitude.toFixed(4)}`);
  const windMs = ((seed >>> 16) % 250) / 10;
  const temperature = oneDecimal(((seed >>> 4) % 600) / 10 - 20);
  const humidity = 20 + ((seed >>> 9) % 80);
  return {
    latitude,
    longitude,
    timeZone: lookUp(latitude, longitude),
    temperature,
    humidity,
    feelsLike: oneDecimal(temperature - (seed % 7)),
    dewPoint: oneDecimal(dewPoint(temperature, humidity) ?? 0),
    pressure: oneDecimal(960 + ((seed >>> 3) % 900) / 10),
    clouds: (seed >>> 5) % 101,
    rain: oneDecimal((seed % 4) * 0.4),
    direction: (seed % 16) * 22.5,
    gustMs: oneDecimal(windMs + 3.1),
    visibility: 100 + ((seed >>> 6) % 99) * 100,
    uv: ((seed >>> 7) % 110) / 10,
    windMs,
    windKmh: oneDecimal(windMs * 3.6),
    sky: SKIES[seed % SKIES.length]!,
    isDay: (seed >>> 20) % 2 === 1,
  };
}

type Here = Pick<StubWeather, 'latitude' | 'longitude'>;

/** The days of each response: a series has a day for each of thousands of values. */
const days = new WeakMap<Here, Map<string, ReturnType<typeof computeDay>>>();

/** The weather of a date at a point: the same in every service, and different on every date. */
export function stubDay(here: Here, date: string) {
  const known = days.get(here) ?? new Map<string, ReturnType<typeof computeDay>>();
  days.set(here, known);
  const day = known.get(date) ?? computeDay(here, date);
  known.set(date, day);
  return day;
}

function computeDay({ latitude, longitude }: Here, date: string) {
  const seed = hash(`${latitude.toFixed(4)},${longitude.toFixed(4)} ${date}`);
  // Multiples of five degrees Celsius are whole degrees Fahrenheit, too.
  const min = ((seed >>> 4) % 8) * 5 - 20;
  // The extremes are frequent: 0 and 100 are valid.
  const probability = ((seed >>> 9) % 5) * 25;
  return {
    ...{ date, min, max: min + 10, probability, sky: SKIES[seed % SKIES.length]! },
    rain: ((seed >>> 11) % 60) / 10,
    windMph: WINDS_MPH[(seed >>> 13) % WINDS_MPH.length]!,
    gustMs: 20 + ((seed >>> 15) % 100) / 10,
    direction: ((seed >>> 17) % 16) * 22.5,
    clouds: (seed >>> 19) % 101,
    uv: ((seed >>> 21) % 110) / 10,
    snow: ((seed >>> 23) % 500) / 100,
  };
}

/** The local hour of a date in which it rains and the wind gusts. */
const WET_HOUR = 14;

/**
 * The weather of an hour at a point: the same in every service. On each date, it rains in one hour
 * only. The temperature is the minimum and the maximum of the date in turn.
 * @param at the start of the hour in milliseconds since the Unix epoch
 */
export function stubHour(
  here: Pick<StubWeather, 'latitude' | 'longitude' | 'timeZone' | 'humidity'>,
  at: number,
) {
  const day = stubDay(here, dateAt(here.timeZone, at));
  const isWet = hourAt(here.timeZone, at) === WET_HOUR;
  return {
    at,
    temperature: (at / 3_600_000) % 2 === 0 ? day.min : day.max,
    humidity: here.humidity,
    feelsLike: day.min - 1,
    sky: day.sky,
    rain: isWet ? day.rain : 0,
    probability: day.probability,
    windMph: day.windMph,
    gustMs: isWet ? day.gustMs : oneDecimal(msOfMph(day.windMph) + 1.5),
    direction: day.direction,
    clouds: day.clouds,
  };
}

/** Formatters by zone, with local times: a series needs thousands, of a few hundred instants. */
const zones = new Map<string, { formatter: Intl.DateTimeFormat; times: Map<number, string> }>();

/** The date and time in a time zone at an instant, as `2026-11-24 07:31`. */
function localAt(timeZone: string, instant: number): string {
  let zone = zones.get(timeZone);
  if (!zone) {
    const options = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
    zone = { formatter: new Intl.DateTimeFormat('sv-SE', options), times: new Map() };
    zones.set(timeZone, zone);
  }
  const minute = Math.floor(instant / 60_000) * 60_000;
  const time = zone.times.get(minute) ?? zone.formatter.format(minute);
  zone.times.set(minute, time);
  return time;
}

const hourAt = (timeZone: string, instant: number) =>
  Number(localAt(timeZone, instant).slice('2026-11-24 '.length, '2026-11-24 07'.length));

/** The date in a time zone at an instant. */
export function dateAt(timeZone: string, instant: number): string {
  return localAt(timeZone, instant).slice(0, 'YYYY-MM-DD'.length);
}

/** The days from the date of an instant on. */
function stubDays(here: StubWeather, count: number, now: number) {
  const start = Date.parse(dateAt(here.timeZone, now));
  return Array.from({ length: count }, (_, index) =>
    stubDay(here, new Date(start + index * 86_400_000).toISOString().slice(0, 10)),
  );
}

/** The service's forecast without sunrise and sunset. The first day is that of an instant. */
export function stubForecast(latitude: number, longitude: number, count: number, now: number) {
  const here = stubWeather(latitude, longitude);
  const days = stubDays(here, count, now).map(({ date, min, max, sky, probability, ...day }) => ({
    date,
    temperature_min: min,
    temperature_max: max,
    condition: sky.text,
    precipitation_probability: probability,
    precipitation: day.rain,
    wind_speed_max: kmhOfMph(day.windMph),
    wind_gusts_max: oneDecimal(day.gustMs * 3.6),
    uv_index_max: day.uv,
    snowfall: day.snow,
  }));
  return { timezone: here.timeZone, days };
}
