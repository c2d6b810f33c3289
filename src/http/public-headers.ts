import type { IncomingHttpHeaders } from 'node:http';

/** As nginx writes it: seconds with three decimals. */
const UNIX_TIME = /^\d{10}\.\d{3}$/;

/**
 * Returns the headers that let every cache store a response that is the same for all clients: names and values, in turn.
 *
 * nginx does not read `Age`. `X-Accel-Expires` says for how many seconds nginx may still serve the response. It replaces
 * `max-age`. It must come after `Cache-Control`: before, nginx up to 1.22 would ignore `stale-if-error`.
 * https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_cache_valid
 */
export function publicHeaders(data: {
  ageSeconds: number;
  /** From the fetch. */
  lifetimeSeconds: number;
  /** After that, for a cache that receives an error. */
  staleSeconds?: number;
}): string[] {
  const { ageSeconds, lifetimeSeconds, staleSeconds } = data;
  const stale = staleSeconds === undefined ? '' : `, stale-if-error=${staleSeconds}`;
  const remainingSeconds = String(Math.max(0, lifetimeSeconds - ageSeconds));
  const control = `public, max-age=${lifetimeSeconds}${stale}`;
  return ['Age', String(ageSeconds), 'Cache-Control', control, 'X-Accel-Expires', remainingSeconds];
}

/**
 * Returns `X-Accel-Fetched-At`, name and value: the Unix time of the fetch in seconds. `k8s/nginx` computes `Age` from it, so
 * it is by the clock of nginx, if nginx sent its time with the request.
 */
export function fetchedAtHeader(
  { 'x-accel-now': nginxTime }: IncomingHttpHeaders,
  ageSeconds: number,
  sinceRequestMs: number,
  now: number,
): string[] {
  const isTime = typeof nginxTime === 'string' && UNIX_TIME.test(nginxTime);
  const nowMs = isTime ? Number(nginxTime) * 1000 + sinceRequestMs : now;
  return ['X-Accel-Fetched-At', String(Math.floor(nowMs / 1000) - ageSeconds)];
}
