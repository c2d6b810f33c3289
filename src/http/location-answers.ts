import { hash } from 'node:crypto';
import { attributionOf } from '../config/providers.js';
import { referenceTimeOf, type CacheEntry } from '../weather/cache-entry.js';
import type { LocationMatch, Locator } from '../weather/location.js';
import type { CacheOutcome, Lookup } from '../weather/lookup.js';
import { MINUTE_MS } from '../weather/time/durations.js';
import { pointKey, pointRequest, type PointRequest } from '../weather/kinds/point.js';
import type { Search } from '../weather/recent-searches.js';
import type { Scope } from '../weather/request-scope.js';
import type { Clock, Point } from '../weather/types.js';
import { jsonAnswer, loggable, type Answer, type RequestLogFields } from './answer.js';
import type { AppContext, RequestState } from './context.js';
import {
  logFieldsOf,
  logFieldsOfBody,
  type LocationEndpoint,
  type RequestedBy,
} from './endpoints/endpoint.js';
import { errorAnswer } from './error-answers.js';
import { readJsonObject } from './input/json-body.js';
import { ignoredHeader, readOptions } from './input/parameters.js';
import { publicHeaders } from './public-headers.js';
import { parametersOf, type Target } from './input/request-target.js';
import { placeFrom, pointFromQuery, type PlaceInput } from './input/validate.js';

export type LocationAnswers = ReturnType<typeof createLocationAnswers>;

/** A request about a location that has been validated, and whose location has been found. */
export interface ResolvedRequest {
  endpoint: LocationEndpoint;
  isPublic: boolean;
  options: Record<string, unknown>;
  located: LocationMatch;
  request: PointRequest;
  /** The log fields, without the outcome of the lookup. */
  logFields: RequestLogFields;
  /** Whether the gazetteer knows the place: what the geocoder finds expires. */
  isLasting: boolean;
  search?: Search;
  /** The answer to the last hit. It is the same until the entry or the minute changes. */
  prepared?: PreparedAnswer;
}

interface PreparedAnswer {
  entry: CacheEntry<unknown>;
  minute: number;
  /** Without `Age` and `Cache-Control`. */
  answer: Answer;
}

interface LocationRequest extends Pick<RequestState, 'target' | 'scope'> {
  endpoint: LocationEndpoint;
  requestedBy: RequestedBy;
  /** The log fields that are known. Later steps add those about the location. */
  logFields: RequestLogFields;
}

type ReadLocation = () => PlaceInput | Point | Promise<PlaceInput>;

/** Creates the answers to requests about a location, without limits and sessions. */
export function createLocationAnswers(options: { locator: Locator; lookup: Lookup; clock: Clock }) {
  const { locator, lookup, clock } = options;

  async function answer(incoming: LocationRequest, read: ReadLocation): Promise<Answer> {
    try {
      const resolved = incoming.target.resolved ?? (await resolve(incoming, await read()));
      return await respond(resolved, incoming);
    } catch (error) {
      return { ...errorAnswer(error, incoming.target), logFields: incoming.logFields };
    }
  }

  async function resolve(
    incoming: LocationRequest,
    input: PlaceInput | Point,
  ): Promise<ResolvedRequest> {
    const { endpoint, requestedBy, target, scope, logFields } = incoming;
    const isPlace = 'city' in input;
    // The names as the user sees them.
    const shown = isPlace ? { city: input.city.shown, country: input.country.shown } : input;
    Object.assign(logFields, shown);
    const values = readOptions(endpoint.parameters, target);
    const match = isPlace
      ? locator.byCity(input.city, input.country, scope)
      : locator.byCoordinates(input);
    const located = await match;
    const { point, location, timeZone } = located;
    const { city, country } = location;
    return {
      endpoint,
      located,
      logFields,
      options: values,
      isPublic: endpoint.publicFor.includes(requestedBy),
      isLasting: !(match instanceof Promise),
      request: pointRequest(point, timeZone),
      ...(requestedBy === 'name' && { search: { placeKey: pointKey(point), city, country } }),
    };
  }

  /** Looks up the value for a resolved request, and makes the answer, or returns the prepared one. */
  async function respond(
    resolved: ResolvedRequest,
    { target, scope }: LocationRequest,
  ): Promise<Answer> {
    const { endpoint, request, isPublic } = resolved;
    const result = lookup(endpoint.kind, request, scope);
    const { entry, outcome } = result instanceof Promise ? await result : result;
    const now = referenceTimeOf(entry, clock);
    const minute = Math.floor(now / MINUTE_MS);
    let { prepared } = resolved;
    if (outcome !== 'HIT' || prepared?.entry !== entry || prepared.minute !== minute) {
      prepared = { entry, minute, answer: makeAnswer(resolved, entry, outcome, now) };
      if (outcome === 'HIT') resolved.prepared = prepared;
    } else prepared.answer.isRepeated = true;
    if (resolved.isLasting && resolved.prepared) target.resolved = resolved;
    const headers = [...prepared.answer.headers];
    const ageSeconds = Math.max(0, Math.floor((clock.monotonic() - entry.fetchedAt) / 1000));
    if (isPublic) headers.push(...publicHeaders({ ageSeconds, ...lifetimeOf(entry) }));
    else headers.push('Age', String(ageSeconds), 'Cache-Control', 'private, no-cache');
    return { ...prepared.answer, headers, ...(isPublic && { publicAgeSeconds: ageSeconds }) };
  }

  function makeAnswer(
    { endpoint, options: values, located, logFields: requestFields, search }: ResolvedRequest,
    { value, provider }: CacheEntry<unknown>,
    outcome: CacheOutcome,
    now: number,
  ): Answer {
    const context = { options: values, located, provider, now };
    const { location } = located;
    const members = endpoint.membersOf(value as object, context);
    const text = JSON.stringify({ location, ...members });
    const tag = `W/"${hash('sha1', text, 'base64')}"`;
    const headers = {
      'X-Cache': outcome,
      'X-Weather-Provider': provider,
      'X-Weather-Attribution': attributionOf(provider),
      ...endpoint.headersOf?.(value as object, context),
      ETag: tag,
    };
    const { city, country } = location;
    const logFields = { ...requestFields, city, country, cache: outcome, provider };
    return { ...jsonAnswer(200, text, headers), tag, logFields, ...(search && { search }) };
  }

  return {
    /** Answers a request whose query names its location. Never throws. After a hit, the target has the resolved request. */
    answerQuery(
      endpoint: LocationEndpoint,
      requestedBy: RequestedBy,
      target: Target,
      scope: Scope,
    ): Promise<Answer> {
      const logFields = logFieldsOf(endpoint, requestedBy, target);
      return answer({ endpoint, requestedBy, target, scope, logFields }, () =>
        requestedBy === 'name'
          ? placeFrom(parametersOf(target), 'parameters')
          : pointFromQuery(parametersOf(target)),
      );
    },

    /** Answers a request whose JSON body names a city and its country. Never throws. */
    answerBody(endpoint: LocationEndpoint, ctx: AppContext): Promise<Answer> {
      const logFields = logFieldsOfBody(endpoint);
      const { target, scope } = ctx.state;
      return answer({ endpoint, requestedBy: 'name', target, scope, logFields }, async () => {
        const members = await readJsonObject(ctx);
        const { city, country, ...otherMembers } = members;
        const names = [...Object.keys(parametersOf(target)), ...Object.keys(otherMembers)];
        target.ignored = ignoredHeader(names, []);
        Object.assign(logFields, { city: loggable(city), country: loggable(country) });
        return placeFrom(members, 'fields');
      });
    },
  };
}

/** Returns the whole seconds for which an entry is fresh, from its fetch as `Age`, and then stale. */
function lifetimeOf({ fetchedAt, freshUntil, staleUntil }: CacheEntry<unknown>) {
  // Rounded down, as `Age` is: otherwise stale data could seem fresh. One millisecond covers rounding errors.
  const seconds = (from: number, until: number) => Math.floor((until - from + 1) / 1000);
  return {
    lifetimeSeconds: seconds(fetchedAt, freshUntil),
    staleSeconds: seconds(freshUntil, staleUntil),
  };
}
