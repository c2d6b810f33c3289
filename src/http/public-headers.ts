/** Maximum seconds for which a cache may serve an expired response while it is replaced. */
const REVALIDATION_SECONDS = 5;

/**
 * Returns the headers that let every cache store a response, names and values in turn. While a
 * request replaces an expired response, a cache may serve it, but not longer than `staleSeconds`.
 *
 * nginx reads `X-Accel-Expires` instead of `max-age` and `Age`. It must come after `Cache-Control`:
 * before, nginx up to 1.22 would ignore `stale-if-error`.
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
  const stale = staleSeconds ? staleControl(staleSeconds) : '';
  const remainingSeconds = String(Math.max(0, lifetimeSeconds - ageSeconds));
  const control = `public, max-age=${lifetimeSeconds}${stale}`;
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
