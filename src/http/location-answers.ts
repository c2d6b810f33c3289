import { hash } from 'node:crypto';
import { presentOf, type CacheEntry } from '../weather/cache-entry.js';
import type { LocationMatch, Locator } from '../weather/location.js';
import type { CacheOutcome, Lookup } from '../weather/lookup.js';
import { MINUTE_MS } from '../weather/durations.js';
import { pointKey, pointRequest, type PointRequest } from '../weather/point.js';
import type { Search } from '../weather/recent-searches.js';
import type { Scope } from '../weather/request-scope.js';
import type { Clock, Point } from '../weather/types.js';
import { flat, jsonAnswer, type Answer, type LogFields } from './answer.js';
import type { AppContext, RequestState } from './context.js';
import type { LocationEndpoint, RequestedBy, ResponseContext } from './endpoints/endpoint.js';
import { errorAnswer } from './error-answers.js';
import { ignoredHeader } from './ignored-parameters.js';
import { readJsonObject } from './json-body.js';
import { loggable } from './loggable.js';
import { readOptions } from './parameters.js';
import { publicHeaders } from './public-headers.js';
import { isBounded, queryOf, type Target } from './request-target.js';
import { placeFrom, pointFromQuery, type PlaceInput } from './validate.js';

export type LocationAnswers = ReturnType<typeof createLocationAnswers>;

/** What a request about a location asks: its query or body, read, validated, and located. */
export interface Question {
  endpoint: LocationEndpoint;
  isPublic: boolean;
  options: Record<string, unknown>;
  located: LocationMatch;
  request: PointRequest;
  /** The log fields of the request, without the outcome of the lookup. */
  fields: LogFields;
  search?: Search;
  /** The answer to the last hit. It is the same until the entry or the minute changes. */
  prepared?: PreparedAnswer;
}

interface PreparedAnswer {
  entry: CacheEntry<unknown>;
  /** The present for the value, in whole minutes. */
  minute: number;
  /** Without `Age` and `Cache-Control`. */
  answer: Answer;
}

/** Reads and validates a location. @throws InvalidInputError */
type ReadLocation = () => PlaceInput | Point | Promise<PlaceInput>;

/**
 * Creates the answers to requests about a location: each validates, finds the location, looks up the value, and makes the
 * answer. Neither limits nor sessions are a part of it.
 */
export function createLocationAnswers(options: {
  locator: Locator;
  lookup: Lookup;
  /** Returns the credit that a provider requires as one line; undefined for a provider that this version does not know. */
  attributionOf: (provider: string) => string | undefined;
  creditOf: ResponseContext<unknown>['creditOf'];
  /** Milliseconds that a client has to send a body. */
  bodyMs: number;
  clock: Clock;
}) {
  const { locator, lookup, attributionOf, creditOf, bodyMs, clock } = options;

  /**
   * Answers a request. Never throws.
   * @param fields the log fields so far. What is found out about the location is added
   */
  async function answer(
    endpoint: LocationEndpoint,
    by: RequestedBy,
    { target, scope }: Pick<RequestState, 'target' | 'scope'>,
    read: ReadLocation,
    fields: LogFields,
  ): Promise<Answer> {
    try {
      const input = await read();
      Object.assign(fields, 'city' in input ? namesOf(input) : input);
      const values = readOptions(endpoint.parameters, target);
      const locating = locate(input, scope);
      const located = await locating;
      const { point, location, timeZone } = located;
      const question: Question = {
        ...{
          endpoint,
          isPublic: endpoint.publicFor.includes(by),
          options: values,
          located,
          fields,
        },
        request: pointRequest(point, timeZone),
      };
      if (by === 'name')
        question.search = {
          placeKey: pointKey(point),
          city: location.city,
          country: location.country,
        };
      const answered = await respond(question, scope);
      // What the geocoder has found expires.
      if (!(locating instanceof Promise) && question.prepared) target.question = question;
      return answered;
    } catch (error) {
      return { ...errorAnswer(error, target), record: fields };
    }
  }

  function locate(input: PlaceInput | Point, scope: Scope): LocationMatch | Promise<LocationMatch> {
    if (!('city' in input)) return locator.byCoordinates(input);
    return locator.byCity(input.city, input.country, scope);
  }

  /** Looks up the value for a question, and makes the answer, or takes the one that is prepared. */
  async function respond(question: Question, scope: Scope): Promise<Answer> {
    const { endpoint, request, isPublic } = question;
    const looking = lookup(endpoint.kind, request, scope);
    const { entry, outcome } = looking instanceof Promise ? await looking : looking;
    const now = presentOf(entry, clock);
    const minute = Math.floor(now / MINUTE_MS);
    let { prepared } = question;
    if (outcome !== 'HIT' || prepared?.entry !== entry || prepared.minute !== minute) {
      prepared = { entry, minute, answer: make(question, entry, outcome, now) };
      if (outcome === 'HIT') question.prepared = prepared;
    }
    const headers = [...prepared.answer.headers, ...cachingHeaders(entry, isPublic)];
    return { ...prepared.answer, headers };
  }

  /** Answers a request whose question is known. Never throws. */
  async function respondAgain(question: Question, target: Target, scope: Scope): Promise<Answer> {
    try {
      return await respond(question, scope);
    } catch (error) {
      return { ...errorAnswer(error, target), record: question.fields };
    }
  }

  function make(
    { endpoint, options: values, located, fields, search }: Question,
    { value, provider }: CacheEntry<unknown>,
    outcome: CacheOutcome,
    now: number,
  ): Answer {
    const context = { options: values, located, provider, now, creditOf };
    const { location } = located;
    const members = endpoint.membersOf(value as object, context);
    const text = JSON.stringify({ location, ...members });
    const tag = `W/"${hash('sha1', text, 'base64')}"`;
    const headers = {
      'X-Cache': outcome,
      'X-Weather-Provider': provider,
      'X-Weather-Attribution': attributionOf(provider),
      ...endpoint.headers?.valuesOf(value as object, context),
      ETag: tag,
    };
    const { city, country } = location;
    const record = { ...fields, city, country, cache: outcome, provider };
    return { ...jsonAnswer(200, text, headers), tag, record, ...(search && { search }) };
  }

  /**
   * Returns `Age` and `Cache-Control`. The lifetime of public data begins with its fetch, as `Age` does, so it is the same
   * for stale data: a cache sees by its age that it must ask again.
   */
  function cachingHeaders(entry: CacheEntry<unknown>, isPublic: boolean): string[] {
    const { fetchedAt, freshUntil, staleUntil } = entry;
    const ageSeconds = Math.max(0, Math.floor((clock.monotonic() - fetchedAt) / 1000));
    if (!isPublic) return ['Age', String(ageSeconds), 'Cache-Control', 'private, no-cache'];
    // Whole seconds, as `Age` has them: rounded up, stale data could seem fresh. One millisecond is for rounding errors.
    const seconds = (from: number, until: number) => Math.floor((until - from + 1) / 1000);
    const lifetimeSeconds = seconds(fetchedAt, freshUntil);
    const staleSeconds = seconds(freshUntil, staleUntil);
    return flat(publicHeaders({ ageSeconds, lifetimeSeconds, staleSeconds }));
  }

  /** Returns the log fields of a request whose query names its location, before anything is validated. Never throws. */
  function fieldsOf(endpoint: LocationEndpoint, by: RequestedBy, target: Target): LogFields {
    const about = { event: 'weather_request', kind: endpoint.kind.name } as const;
    if (by === 'coordinates') {
      return { ...about, city: null, country: null, latitude: null, longitude: null };
    }
    if (target.question) return target.question.fields;
    // A query that is too long is rejected after the rate limits, which count it.
    const { city, country } = isBounded(target) ? queryOf(target) : {};
    return { ...about, city: loggable(city), country: loggable(country) };
  }

  const withoutNames = ({ kind }: LocationEndpoint): LogFields => ({
    ...{ event: 'weather_request', kind: kind.name, city: null, country: null },
  });

  return {
    fieldsOf,

    /** The log fields of a request whose body names its location, before the body is read. */
    fieldsOfBody: withoutNames,

    /**
     * Answers a request whose query names its location. Never throws. If it is a hit, the target remembers what it asks, so
     * that the next request with the same target needs no validation and no search.
     */
    toQuery(
      endpoint: LocationEndpoint,
      by: RequestedBy,
      target: Target,
      scope: Scope,
    ): Promise<Answer> {
      const { question } = target;
      if (question) {
        return respondAgain(question, target, scope);
      }
      const read = () =>
        by === 'name' ? placeFrom(queryOf(target), 'parameters') : pointFromQuery(queryOf(target));
      return answer(endpoint, by, { target, scope }, read, fieldsOf(endpoint, by, target));
    },

    /** Answers a request whose JSON body names a city and its country. Never throws. */
    toBody(endpoint: LocationEndpoint, ctx: AppContext): Promise<Answer> {
      const fields = withoutNames(endpoint);
      const read = async () => {
        const members = await readJsonObject(ctx, bodyMs);
        const { city, country } = members;
        ctx.state.target.ignored = ignoredHeader(Object.keys(members), ['city', 'country']);
        Object.assign(fields, { city: loggable(city), country: loggable(country) });
        return placeFrom(members, 'fields');
      };
      return answer(endpoint, 'name', ctx.state, read, fields);
    },
  };
}

function namesOf({ city, country }: PlaceInput): LogFields {
  return { city: city.shown, country: country.shown };
}
