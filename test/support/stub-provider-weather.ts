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

export interface StubWeather {
  temperature: number;
  humidity: number;
  /** Meters per second, one decimal. */
  windMs: number;
  /** The same in km/h, with one decimal, as the service must respond with it. */
  windKmh: number;
  sky: Sky;
  isDay: boolean;
}

/** The symbols that have a suffix for day and night. */
const WITH_SUFFIX = ['clearsky', 'fair', 'partlycloudy'];

/** The symbol of MET Norway for a condition. */
export function metSymbol({ sky, isDay }: Pick<StubWeather, 'sky' | 'isDay'>): string {
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
  return {
    temperature: oneDecimal(((seed >>> 4) % 600) / 10 - 20 + warmerBy),
    humidity: 20 + ((seed >>> 9) % 80),
    windMs,
    windKmh: oneDecimal(windMs * 3.6),
    sky: SKIES[seed % SKIES.length]!,
    isDay: (seed >>> 20) % 2 === 1,
  };
}
