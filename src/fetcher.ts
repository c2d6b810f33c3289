import { lookup } from 'node:dns';
import { GEOCODER_NAME, upstreamFor } from './config/providers.js';
import { createProviders } from './providers/index.js';
import { createGeocoder } from './providers/open-meteo/geocoder.js';
import { timeZoneAt } from './providers/time-zone.js';
import type { ProcessContext } from './process/context.js';
import { waitForBudget } from './upstream/call-budgets.js';
import { createFailover } from './upstream/failover.js';
import { createCallPolicy, type PolicyOptions } from './upstream/policy.js';
import { createUpstreamClient } from './upstream/upstream-client.js';
import { ttlWithin, type Ttl } from './weather/cache-entry.js';
import { DAY_MS, MINUTE_MS } from './weather/time/durations.js';
import { createFetcher, register, type Fetching, type Registration } from './weather/fetch.js';
import { POINT_KINDS, TTLS, type TtlName } from './weather/kinds/kinds.js';
import type { PointRequest } from './weather/kinds/point.js';
import { POSITION } from './weather/kinds/position.js';

/** The position of a name rarely changes: only if the geocoder corrects it. */
const POSITION_TTL: Ttl = { freshMs: DAY_MS, staleMs: 0 };
const NO_SUCH_PLACE_TTL: Ttl = { freshMs: MINUTE_MS, staleMs: 0 };

/** Creates the fetcher: providers and geocoder, each with its call policy. */
export function createUpstreamFetcher(
  { config, log, clock, lifecycle }: ProcessContext,
  policyOptions: PolicyOptions,
): Fetching {
  const client = createUpstreamClient({
    userAgent: config.UPSTREAM_USER_AGENT,
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    lookup: lookup,
    clock,
    log,
  });
  lifecycle.onClose(client.close);
  const providers = createProviders({ config, client, clock, log });
  const missing = POINT_KINDS.filter(({ ability }) => !providers.some((each) => each[ability]));
  if (missing.length > 0) {
    const hint = 'no provider in WEATHER_PROVIDERS has this data, so requests for it get a 503';
    log.warn({ event: 'kinds_not_offered', kinds: missing.map(({ kind }) => kind.name), hint });
  }
  const failover = createFailover(providers, policyOptions, upstreamFor);
  const { breakerOf } = policyOptions;
  /** Providers that cover a part of the world count only if there are no others. */
  const worldwide = providers.filter((provider) => provider.covers === undefined);
  const deciding = worldwide.length > 0 ? worldwide : providers;
  const ttlOf = (ttl: TtlName | number): Ttl => ({
    freshMs: (typeof ttl === 'number' ? ttl : config[TTLS[ttl].variable]) * 1000,
    staleMs: config.STALE_IF_ERROR_SECONDS * 1000,
  });

  function positions(): Registration {
    const policy = createCallPolicy(GEOCODER_NAME, policyOptions);
    // No other geocoder exists to fail over to.
    const findPosition = createGeocoder({ config, client }, (call) =>
      waitForBudget(clock, call.signal, () => policy(call)),
    );
    return register({
      kind: POSITION,
      async fetch({ city, countryCode }, call) {
        const point = await findPosition(city, countryCode, call);
        return { value: point ?? null, provider: GEOCODER_NAME };
      },
      ttlOf: (point) => (point ? POSITION_TTL : NO_SUCH_PLACE_TTL),
      breakers: [breakerOf(GEOCODER_NAME)],
    });
  }

  return createFetcher({
    registrations: [
      ...POINT_KINDS.map(({ kind, ability, ttl }) =>
        register<PointRequest, unknown>({
          kind,
          async fetch(request, call) {
            const { point, timeZone = timeZoneAt(point), elevation } = request;
            const now = clock.now();
            const value = kind.valueWithoutCall?.(request, now);
            const first = providers.find((each) => each[ability]);
            if (value && first) return { value, provider: first.name, referenceTime: now };
            return failover(ability, { ...point, timeZone, elevation }, call);
          },
          ttlOf: (value, referenceTime = clock.now()) =>
            ttlWithin(ttlOf(ttl), kind.remainingMs?.(value as never, referenceTime) ?? Infinity),
          isOffered: ({ point }) =>
            providers.some((each) => each[ability] && each.covers?.(point) !== false),
          breakers: deciding
            .filter((provider) => provider[ability] !== undefined)
            .map(({ name }) => breakerOf(upstreamFor(name, ability))),
        }),
      ),
      ...(config.usesGeocoder ? [positions()] : []),
    ],
    providers: deciding.map(({ name }) => breakerOf(name)),
    timeoutMs: config.REQUEST_TIMEOUT_MS,
    clock,
    log,
  });
}
