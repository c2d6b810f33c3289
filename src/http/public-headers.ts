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
 * nginx, which is the proxy of `docker-compose.yml`, does not read `Age`. It removes both `X-Accel` headers:
 * - `X-Accel-Expires`: the seconds for which nginx may still serve the response; 0 if it must not store it. It replaces
 *   `max-age`. It must come after `Cache-Control`: before, nginx up to 1.22 would ignore `stale-if-error`.
 *   https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_cache_valid
 * - `X-Accel-Fetched-At`: the Unix time of the fetch in seconds. `k8s/nginx` computes `Age` from it.
 * @param now the current Unix time in milliseconds
 */
export function publicHeaders(data: PublicData, now: number): Record<string, string> {
  const { ageSeconds, lifetimeSeconds, staleSeconds } = data;
  const stale = staleSeconds === undefined ? '' : `, stale-if-error=${staleSeconds}`;
  return {
    Age: String(ageSeconds),
    'Cache-Control': `public, max-age=${lifetimeSeconds}${stale}`,
    'X-Accel-Expires': String(Math.max(0, lifetimeSeconds - ageSeconds)),
    'X-Accel-Fetched-At': String(Math.floor(now / 1000) - ageSeconds),
  };
}
