import { hash } from 'node:crypto';
import type { CacheEntry } from '../weather/cache-entry.js';
import { pointKey } from '../weather/kinds/point.js';
import type { Scope } from '../weather/request-scope.js';
import { MINUTE_MS } from '../weather/time/durations.js';
import { jsonAnswer, type Answer, type KnownQuery } from './answer.js';
import { dataHeaders } from './data-headers.js';
import type { LocationEndpoint } from './endpoints/endpoint.js';
import type { LocationWay } from './endpoints/location-ways.js';
import { logFieldsOf, membersOf, type Finder, type Found } from './finder.js';
import type { Input } from './input/validate.js';
import { publicHeaders } from './public-headers.js';

export type LocationAnswerer = ReturnType<typeof createLocationAnswerer>;

/** Creates the function that answers a request about a location, without limits and sessions. */
export function createLocationAnswerer(finder: Finder) {
  /** @throws InvalidInputError, PlaceNotFoundError, or ServiceUnavailableError */
  return async (
    endpoint: LocationEndpoint,
    way: LocationWay,
    input: Input,
    scope: Scope,
    known?: KnownQuery,
  ): Promise<Answer> => {
    const result = known
      ? finder.findAgain(known.query, scope)
      : finder.find(endpoint, way, input, scope);
    const found = result instanceof Promise ? await result : result;
    const { query, entry, outcome, ageSeconds } = found;
    const minute = Math.floor(found.now / MINUTE_MS);
    const { fetchId } = entry;
    const isHit = outcome === 'HIT';
    const isSame = isHit && known?.fetchId === fetchId && known.minute === minute;
    const answer = isSame ? known.answer : render(found);
    const isPublic = endpoint.publicFor.includes(way.by);
    const caching = isPublic
      ? publicHeaders({ ageSeconds, ...lifetimeOf(entry) })
      : ['Age', String(ageSeconds), 'Cache-Control', 'private, no-cache'];
    const isKnowable = isHit && !isSame && query.located.isFromGazetteer;
    // Each member by its name: a spread of the remembered answer takes a tenth of a hit.
    const { status, content, body, tag, logFields, search } = answer;
    return {
      status,
      content,
      body,
      tag,
      logFields,
      search,
      headers: answer.headers.concat(caching),
      publicAgeSeconds: isPublic ? ageSeconds : undefined,
      known: isKnowable ? { query, fetchId, minute, answer } : undefined,
    };
  };
}

/** Returns the answer with what was found. */
function render(found: Found): Answer {
  const { by, located, request } = found.query;
  const text = JSON.stringify(membersOf(found));
  const tag = `W/"${hash('sha1', text, 'base64')}"`;
  const { city, country } = located.location;
  const search = by === 'name' ? { placeKey: pointKey(request.point), city, country } : undefined;
  return {
    ...jsonAnswer(200, text, { ...dataHeaders(found), ETag: tag }),
    tag,
    logFields: logFieldsOf(found),
    ...(search && { search }),
  };
}

/** Returns the seconds for which an entry is fresh, from its fetch, and then stale. */
function lifetimeOf({ fetchedAt, freshUntil, staleUntil }: CacheEntry<unknown>) {
  // Rounded down, as `Age` is. One millisecond covers rounding errors.
  const seconds = (from: number, until: number) => Math.floor((until - from + 1) / 1000);
  return {
    lifetimeSeconds: seconds(fetchedAt, freshUntil),
    staleSeconds: seconds(freshUntil, staleUntil),
  };
}
