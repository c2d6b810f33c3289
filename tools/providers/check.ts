import { lookup } from 'node:dns';
import type { Config } from '../../src/config/config.js';
import { createProviders } from '../../src/providers/index.js';
import { GEOCODER_NAME } from '../../src/config/providers.js';
import { createGeocoder } from '../../src/providers/open-meteo/geocoder.js';
import { timeZoneAt } from '../../src/providers/time-zone.js';
import { createUpstreamClient } from '../../src/upstream/upstream-client.js';
import type { WeatherProvider } from '../../src/upstream/weather-provider.js';
import { HOUR_MS } from '../../src/weather/time/durations.js';
import { addDays, localDate } from '../../src/weather/time/local-time.js';
import { pointRequest } from '../../src/weather/kinds/point.js';
import { POINT_KINDS } from '../../src/weather/kinds/kinds.js';
import { inTableOrder, rowOf, type Quantity } from '../../src/weather/kinds/quantities.js';

/** One line of the report. A reply that is not as the adapters expect is `wrong`. */
export interface Finding {
  status: 'ok' | 'none' | 'wrong';
  provider: string;
  place: string;
  what: string;
  detail: string;
}

/** A high and a low latitude, both hemispheres, and a place that api.weather.gov covers. */
export const PLACES = [
  { city: 'Oslo', countryCode: 'NO', latitude: 59.9127, longitude: 10.7461 },
  { city: 'New York City', countryCode: 'US', latitude: 40.7143, longitude: -74.006 },
  { city: 'Sydney', countryCode: 'AU', latitude: -33.8679, longitude: 151.2073 },
];
type Place = (typeof PLACES)[number];

/**
 * How far two providers may differ at one place and time. More: a wrong unit (°F, m/s, knots, inHg,
 * Pa) is not seen. Less: two models that disagree are a fault.
 */
const TOLERANCES: Partial<Record<Quantity, number>> = {
  temperature: 12,
  dew_point: 15,
  pressure: 25,
  wind_speed: 40,
};
/** The fewest days and hours that a provider has, without those of today. */
const FEWEST_DAYS = 4;
const FEWEST_HOURS = 48;
/** The position of a name may differ by this many degrees, because a city is large. */
const MAX_DEGREES = 0.5;

type Values = Record<string, unknown>;

/** Calls each real provider for three places, with the queries and adapters of the service. */
export async function checkProviders(config: Config, now = Date.now): Promise<Finding[]> {
  const clock = { now, monotonic: () => performance.now() };
  const log = { warn: () => undefined };
  const client = createUpstreamClient({
    userAgent: config.UPSTREAM_USER_AGENT,
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    lookup,
    clock,
    log,
  });
  const providers = createProviders({
    config,
    client,
    clock,
    log,
  }).filter(({ name }) => name !== 'demo');
  const findPosition = createGeocoder({ config, client }, ({ call }) => call());
  const found: Finding[] = [];
  for (const place of PLACES) {
    /** The first value of each quantity, to which the values of other providers are compared. */
    const references = new Map<Quantity, number>();
    for (const provider of providers) {
      found.push(...(await checkProvider(provider, place, references, now)));
    }
    if (config.usesGeocoder) {
      const search = async () =>
        findPosition(place.city, place.countryCode, { signal: new AbortController().signal });
      const judge = (point: Awaited<ReturnType<typeof search>>) =>
        point === undefined ||
        Math.abs(point.latitude - place.latitude) > MAX_DEGREES ||
        Math.abs(point.longitude - place.longitude) > MAX_DEGREES
          ? `is at ${JSON.stringify(point)}`
          : undefined;
      const { finding } = await attempt(GEOCODER_NAME, place, 'position', search, judge);
      found.push(finding);
    }
  }
  client.close();
  return found;
}

async function checkProvider(
  provider: WeatherProvider,
  place: Place,
  references: Map<Quantity, number>,
  now: () => number,
): Promise<Finding[]> {
  if (provider.covers?.(place) === false) {
    const about = { provider: provider.name, place: place.city };
    return [{ status: 'none', ...about, what: 'everything', detail: 'is not covered' }];
  }
  const found: Finding[] = [];
  for (const { ability, kind } of POINT_KINDS) {
    const call = provider[ability];
    if (!call || kind.valueWithoutCall?.(pointRequest(place), now())) continue;
    const fetch = async () =>
      (await call({ ...place, timeZone: timeZoneAt(place) }, new AbortController().signal))
        .value as Values;
    const judge = (value: Values) => timeFault(value, place, now());
    const { finding, value } = await attempt(provider.name, place, ability, fetch, judge);
    found.push(finding);
    if (!value) continue;
    for (const name of inTableOrder(Object.keys(value) as Quantity[])) {
      const about = { provider: provider.name, place: place.city, what: `${ability} ${name}` };
      const given = [value[name]].flat().filter((each) => typeof each === 'number');
      const [first] = given;
      if (first === undefined) {
        found.push({ status: 'none', ...about, detail: 'has no value' });
        continue;
      }
      const reference = ability === 'current' ? (references.get(name) ?? first) : first;
      if (ability === 'current' && !references.has(name)) references.set(name, first);
      const isFar = Math.abs(first - reference) > (TOLERANCES[name] ?? Infinity);
      const detail = `${first} ${rowOf(name).unit}`.trim();
      found.push({
        status: isFar ? 'wrong' : 'ok',
        ...about,
        detail: isFar ? `${detail}, but ${reference} by another provider` : detail,
      });
    }
  }
  return found;
}

/** Returns what is wrong with the times of a value: its age, or its length. */
function timeFault(value: Values, place: Place, now: number): string | undefined {
  if (!('timezone' in value)) {
    const minutes = Math.round((now - (value['time'] as number)) / 60_000);
    return minutes > 180 || minutes < -60 ? `is ${minutes} minutes old` : undefined;
  }
  if ('time' in value) {
    const times = value['time'] as number[];
    const first = times[0] ?? 0;
    if (Math.abs(now - first) > HOUR_MS) return `begins at ${new Date(first).toISOString()}`;
    return times.length < FEWEST_HOURS ? `has only ${times.length} hours` : undefined;
  }
  const dates = value['date'] as string[];
  const today = localDate(timeZoneAt(place), now);
  if (![today, addDays(today, 1)].includes(dates[0] ?? '')) return `begins on ${dates[0]}`;
  return dates.length < FEWEST_DAYS ? `has only ${dates.length} days` : undefined;
}

/** Makes one call. A call that fails, or a value that is judged to be wrong, is a finding. */
async function attempt<T>(
  provider: string,
  { city: place }: Place,
  what: string,
  call: () => Promise<T>,
  judge: (value: T) => string | undefined,
): Promise<{ finding: Finding; value?: T }> {
  const about = { provider, place, what };
  try {
    const value = await call();
    const fault = judge(value);
    const status = fault === undefined ? 'ok' : 'wrong';
    return { finding: { status, ...about, detail: fault ?? 'is as expected' }, value };
  } catch (error) {
    const { kind, message } = error as Error & { kind?: string };
    const status = kind === 'not_covered' ? 'none' : 'wrong';
    return { finding: { status, ...about, detail: message } };
  }
}
