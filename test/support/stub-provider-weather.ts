import lookUp from '@photostructure/tz-lookup';
import { seedOf } from './random.js';

/** A condition, as each of the services reports it. */
interface Sky {
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

/** The weather at a point. Every day has the same minimum, maximum, probability, and sky. */
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
  /** Degrees Celsius: multiples of five, which are whole degrees Fahrenheit, too. */
  min: number;
  max: number;
  /** Percent. */
  probability: number;
}

/** The symbols that have a suffix for day and night. */
const WITH_SUFFIX = ['clearsky', 'fair', 'partlycloudy'];

/** The symbol of MET Norway for a condition. */
export function metSymbol({ sky, isDay }: StubWeather): string {
  if (!WITH_SUFFIX.includes(sky.met)) return sky.met;
  return `${sky.met}_${isDay ? 'day' : 'night'}`;
}

const oneDecimal = (value: number) => Math.round(value * 10) / 10;

/** Because of the final mixing, neighboring coordinates differ in every value. */
function hash(text: string): number {
  let value = seedOf(text);
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

/** The weather of the stub provider: the same for a point in every service, and different for every point. */
export function stubWeather(latitude: number, longitude: number, warmerBy = 0): StubWeather {
  const seed = hash(`${latitude.toFixed(4)},${longitude.toFixed(4)}`);
  const windMs = ((seed >>> 16) % 250) / 10;
  const humidity = 20 + ((seed >>> 9) % 80);
  const temperature = oneDecimal(((seed >>> 4) % 600) / 10 - 20 + warmerBy);
  const min = Math.floor(temperature / 5) * 5;
  return {
    latitude,
    longitude,
    timeZone: lookUp(latitude, longitude),
    temperature,
    humidity,
    windMs,
    windKmh: oneDecimal(windMs * 3.6),
    sky: SKIES[seed % SKIES.length]!,
    isDay: (seed >>> 20) % 2 === 1,
    min,
    max: min + 10,
    probability: 100 - humidity,
  };
}

/** The dates from today on in a time zone. */
export function datesFrom(timeZone: string, count: number): string[] {
  const start = Date.parse(today(timeZone));
  return Array.from({ length: count }, (_, index) =>
    new Date(start + index * 86_400_000).toISOString().slice(0, 10),
  );
}

/** The date of today in a time zone. */
export function today(timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format();
}

/** The forecast as the service must respond with it, without sunrise and sunset. The first day is today. */
export function stubForecast(latitude: number, longitude: number, count: number) {
  const { timeZone, min, max, sky, probability } = stubWeather(latitude, longitude);
  const days = datesFrom(timeZone, count).map((date) => ({
    date,
    temperature_min: min,
    temperature_max: max,
    condition: sky.text,
    precipitation_probability: probability,
  }));
  return { timezone: timeZone, days };
}
