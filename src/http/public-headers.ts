/** Maximum seconds for which a cache may serve an expired response while it is replaced. */
const REVALIDATION_SECONDS = 5;

/**
 * Returns the headers that let every cache store a response that is the same for all clients: names
 * and values, in turn.
 *
 * nginx does not read `Age`, so `X-Accel-Expires` replaces `max-age` there. If a response has
 * expired, no provider responds: without a few seconds, each request would reach the service.
 * The header must follow `Cache-Control`, or nginx up to 1.22 would ignore `stale-if-error`.
 * https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_cache_valid
 */
export function publicHeaders(data: {
  ageSeconds: number;
  /** From the fetch. */
  lifetimeSeconds: number;
  /** After that, for a cache that receives an error. */
  staleSeconds?: number;
}): string[] {
  const { ageSeconds, lifetimeSeconds, staleSeconds = 0 } = data;
  const stale = staleSeconds > 0 ? staleControl(staleSeconds) : '';
  const control = `public, max-age=${lifetimeSeconds}${stale}`;
  const freshSeconds = lifetimeSeconds - ageSeconds;
  const usableSeconds = Math.min(REVALIDATION_SECONDS, freshSeconds + staleSeconds);
  const remainingSeconds = String(freshSeconds > 0 ? freshSeconds : Math.max(0, usableSeconds));
  return ['Age', String(ageSeconds), 'Cache-Control', control, 'X-Accel-Expires', remainingSeconds];
}

function staleControl(staleSeconds: number): string {
  const revalidation = Math.min(REVALIDATION_SECONDS, staleSeconds);
  return `, stale-while-revalidate=${revalidation}, stale-if-error=${staleSeconds}`;
}

/** Returns the Unix time of the fetch in seconds, from which `k8s/nginx` computes `Age`. */
export function fetchedAtHeader(ageSeconds: number, now: number): string[] {
  return ['X-Accel-Fetched-At', String(Math.floor(now / 1000) - ageSeconds)];
}
