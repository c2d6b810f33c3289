import { UpstreamError } from '../../errors.js';
import { BREAKER_POLICY } from '../../upstream/breaker.js';
import type { Explain, StatusMeaning } from '../../upstream/failures.js';
import type { JsonAnswer, UpstreamClient } from '../../upstream/client.js';
import type { Clock, Point, WeatherProvider } from '../../weather/types.js';
import { currentEntry, FORECAST, KEPT_BEYOND_MS, readEntries } from './series.js';
import type { AnswerStore, StoredAnswer } from '../answers.js';
import { degrees } from '../weather-values.js';

export interface MetNorwayOptions {
  client: UpstreamClient;
  /** Without a path. */
  baseUrl: string;
  /** Keeps answers: the service must not be asked again before they expire. */
  answers: AnswerStore;
  clock: Clock;
  /** Told when the service says that it will change or end. */
  onDeprecated: (provider: string) => void;
}

/** The service refuses the User-Agent or the address. That lasts until somebody changes it. */
const FORBIDDEN: StatusMeaning = {
  kind: 'unavailable',
  message: 'calls are forbidden',
  retryAfterMs: BREAKER_POLICY.maxOpenMs,
};

const explain: Explain = ({ status }) => (status === 403 ? FORBIDDEN : undefined);

/** Its service still answers, but a newer version replaces it, or it is not final yet. */
const DEPRECATED = 203;

/**
 * MET Norway's locationforecast 2.0 (https://api.met.no/weatherapi/locationforecast/2.0/documentation).
 * Its terms (https://api.met.no/doc/TermsOfService, https://api.met.no/doc/StatusCodes): a User-Agent
 * with a contact, at most four decimals, HTTPS, redirects on its host are followed, no call for a
 * point before the answer's `Expires`, and `If-Modified-Since` after it. A 203 announces a change.
 */
export function createMetNorway(options: MetNorwayOptions): WeatherProvider {
  const { client, baseUrl, answers, clock, onDeprecated } = options;
  const name = 'met-norway';

  function keyOf(point: Point) {
    const { latitude: lat, longitude: lon } = degrees(point);
    return { lat, lon, key: `${name}:${lat},${lon}` };
  }

  return {
    name,
    async kept(point, time) {
      const stored = await answers.get(keyOf(point).key, time);
      if (!stored || stored.freshMs <= 0) return undefined;
      const known = currentEntry(stored.entries, clock.now());
      return known && { weather: known.weather, ageMs: stored.ageMs };
    },
    async current(point, signal, time) {
      const { lat, lon, key } = keyOf(point);
      const stored = await answers.get(key, time);
      const known = stored && currentEntry(stored.entries, clock.now());
      const url = new URL('/weatherapi/locationforecast/2.0/compact', baseUrl);
      url.search = new URLSearchParams({ lat, lon }).toString();
      const request = {
        upstream: name,
        url,
        schema: FORECAST,
        signal,
        explain,
        followsOwnHost: true,
      };
      const answer =
        known && stored.lastModified !== undefined
          ? await client.getJsonIfModified(request, stored.lastModified)
          : await client.getJson(request);
      if (answer.status === DEPRECATED) onDeprecated(name);
      const now = clock.now();
      const entries = answer.body ? readEntries(name, answer.body, now) : (stored?.entries ?? []);
      const current = currentEntry(entries, now);
      if (!current) throw new UpstreamError(name, 'bad_answer', 'no forecast for this hour');

      const lastModified = answer.headers.get('last-modified') ?? stored?.lastModified;
      const next: StoredAnswer = { entries, lastModified, freshMs: freshness(answer) };
      const end = (entries.at(-1) ?? current).from + KEPT_BEYOND_MS;
      await answers.set(key, next, end - now, time);
      return current.weather;
    },
  };
}

/** Milliseconds until the answer expires, by the upstream's own clock (RFC 9111, 4.2). */
function freshness({ headers, at }: JsonAnswer<unknown>): number {
  const expires = Date.parse(headers.get('expires') ?? '');
  const age = Number(headers.get('age') ?? 0) * 1000 || 0;
  return Number.isNaN(expires) ? 0 : Math.max(0, expires - at - age);
}
