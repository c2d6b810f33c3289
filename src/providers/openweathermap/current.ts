import Joi from 'joi';
import type { Explain } from '../../upstream/failures.js';
import type { UpstreamClient } from '../../upstream/upstream-client.js';
import { atMost } from '../../upstream/schema.js';
import { conditionOf, UNKNOWN_CONDITION } from '../../weather/conditions.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { degrees, finite, kmhFromMs, toWeather } from '../weather-values.js';

export interface OpenWeatherMapOptions {
  client: UpstreamClient;
  /** Without a path. */
  baseUrl: string;
  apiKey: string;
}

interface CurrentWeather {
  cod: number | string;
  weather: { id: number; icon?: string | null }[];
  main: { temp: number; humidity: number };
  wind: { speed: number };
}

const CURRENT_WEATHER = Joi.object<CurrentWeather>({
  cod: Joi.valid(200, '200').required(),
  // Several conditions at once are possible; the first is the main one.
  weather: atMost(
    20,
    Joi.array()
      .items(Joi.object({ id: finite, icon: Joi.string().allow('', null) }))
      .min(1),
  ).required(),
  main: Joi.object({ temp: finite, humidity: finite }).required(),
  wind: Joi.object({ speed: finite }).required(),
});

/** OpenWeatherMap's condition ids (https://openweathermap.org/weather-conditions) → WMO codes. */
const WMO_CODES: ReadonlyMap<number, number> = new Map([
  ...codes(95, 200, 201, 202, 210, 211, 212, 221, 230, 231, 232),
  ...codes(51, 300, 310),
  ...codes(53, 301, 311, 313, 321),
  ...codes(55, 302, 312, 314),
  ...codes(61, 500),
  ...codes(63, 501),
  ...codes(65, 502, 503, 504),
  ...codes(66, 511),
  ...codes(80, 520),
  ...codes(81, 521, 531),
  ...codes(82, 522),
  ...codes(71, 600, 611, 612, 615),
  ...codes(73, 601, 613, 616),
  ...codes(75, 602),
  ...codes(85, 620),
  ...codes(86, 621, 622),
  // Mist, smoke, haze, dust, fog, sand, ash: the list has no code nearer than fog.
  ...codes(45, 701, 711, 721, 731, 741, 751, 761, 762),
  ...codes(95, 771, 781),
  ...codes(0, 800),
  ...codes(1, 801),
  ...codes(2, 802),
  ...codes(3, 803, 804),
]);

function codes(wmo: number, ...ids: number[]): [number, number][] {
  return ids.map((id) => [id, wmo]);
}

const explain: Explain = ({ status }) =>
  status === 401 ? { kind: 'unavailable', message: 'the key is not valid' } : undefined;

/** OpenWeatherMap's current weather (https://openweathermap.org/current). */
export function createOpenWeatherMap(options: OpenWeatherMapOptions): WeatherProvider {
  const { client, baseUrl, apiKey } = options;
  const name = 'openweathermap';
  return {
    name,
    async current(point, signal) {
      const url = new URL('/data/2.5/weather', baseUrl);
      const { latitude: lat, longitude: lon } = degrees(point);
      const query = { lat, lon, appid: apiKey, units: 'metric', lang: 'en' };
      url.search = new URLSearchParams(query).toString();
      const { body } = await client.getJson({
        upstream: name,
        url,
        schema: CURRENT_WEATHER,
        small: true,
        signal,
        explain,
      });
      const value = toWeather(name, {
        temperature: body.main.temp,
        humidity: body.main.humidity,
        windSpeed: kmhFromMs(body.wind.speed),
        condition: conditionOfId(body.weather[0]?.id),
        isDay: isDayIcon(body.weather[0]?.icon),
      });
      return { value };
    },
  };
}

function conditionOfId(id: number | undefined): string {
  const wmo = id === undefined ? undefined : WMO_CODES.get(id);
  return wmo === undefined ? UNKNOWN_CONDITION : conditionOf(wmo);
}

/** The names of icons end with `d` by day and with `n` by night. */
function isDayIcon(icon: string | null | undefined): boolean | undefined {
  const end = icon?.at(-1);
  return end === 'd' || end === 'n' ? end === 'd' : undefined;
}
