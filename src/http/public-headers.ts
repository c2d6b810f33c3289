import type { IncomingHttpHeaders } from 'node:http';
import { headerOf, type Answer } from './answer.js';

/** As nginx writes it: seconds with three decimals. */
const UNIX_TIME = /^\d{10}\.\d{3}$/;

/** How old the data of a public response is, and for how long caches may use it. */
interface PublicData {
  /** Whole seconds since the data was fetched. */
  ageSeconds: number;
  /** Whole seconds from the fetch for which the data is fresh. */
  lifetimeSeconds: number;
  /** Whole seconds after that for which a cache may serve the data if it receives an error. */
  staleSeconds?: number;
}

/**
 * Returns the headers that let every cache store a response that is the same for all clients, with its `Age`.
 *
 * nginx, which is the proxy of `docker-compose.yml`, does not read `Age`. `X-Accel-Expires` says for how many seconds nginx
 * may still serve the response; 0 if it must not store it. It replaces `max-age`. It must come after `Cache-Control`:
 * before, nginx up to 1.22 would ignore `stale-if-error`.
 * https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_cache_valid
 */
export function publicHeaders(data: PublicData): Record<string, string> {
  const { ageSeconds, lifetimeSeconds, staleSeconds } = data;
  const stale = staleSeconds === undefined ? '' : `, stale-if-error=${staleSeconds}`;
  return {
    Age: String(ageSeconds),
    'Cache-Control': `public, max-age=${lifetimeSeconds}${stale}`,
    'X-Accel-Expires': String(Math.max(0, lifetimeSeconds - ageSeconds)),
  };
}

/** Returns whether an answer has the headers above. */
export function isPublic(answer: Answer): boolean {
  return headerOf(answer, 'X-Accel-Expires') !== undefined;
}

/** Returns the Unix time in milliseconds at which nginx sent a request, by its own clock. Undefined without a valid header. */
export function timeOfNginx(headers: IncomingHttpHeaders): number | undefined {
  const sent = headers['x-accel-now'];
  return typeof sent === 'string' && UNIX_TIME.test(sent) ? Number(sent) * 1000 : undefined;
}

/**
 * Returns `X-Accel-Fetched-At`, name and value, of a public answer: the Unix time of the fetch in seconds. `k8s/nginx`
 * computes `Age` from it.
 * @param now the Unix time in milliseconds, by the clock of nginx
 */
export function fetchedAtHeader(answer: Answer, now: number): string[] {
  return ['X-Accel-Fetched-At', String(Math.floor(now / 1000) - Number(headerOf(answer, 'Age')))];
}
