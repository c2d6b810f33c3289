import { creditOf } from '../../config/providers.js';
import { headerOf, type Answer } from '../answer.js';
import type { RequestState } from '../context.js';
import type { CountRequest } from '../edge/limits.js';
import { logFieldsOf, type RequestedBy } from '../endpoints/endpoint.js';
import {
  SUGGESTION_PARAMETERS,
  SUGGESTIONS_PATH,
  type SuggestionAnswerer,
} from '../endpoints/suggestions.js';
import type { ErrorBody } from '../error-answers.js';
import type { LocationAnswers } from '../location-answers.js';
import { ignoredHeader } from '../input/parameters.js';
import type { QueryParameters, Target } from '../input/request-target.js';
import { LOCATION_TOOLS, PLACES_TOOL } from './tools.js';

/** The result of a call: a JSON object, or the sentence of an error that a model can act on. */
export type ToolResult = { data: Record<string, unknown> } | { error: string };

/** A call of a tool: its result, and the answer of the endpoint that has the same data. */
export interface CompletedCall {
  result: ToolResult;
  answer: Answer;
}

type Arguments = Record<string, unknown>;

/** Never throws. */
type ToolCall = (state: RequestState, args: Arguments) => Promise<CompletedCall>;

export interface CallOptions {
  locationAnswers: LocationAnswers;
  answerSuggestions: SuggestionAnswerer;
  countRequest: CountRequest;
}

const PLACES_CREDIT = {
  text: 'Places from GeoNames, CC BY 4.0, and others',
  url: 'https://www.geonames.org/',
};

/** The sentence for a call whose location is incomplete. The endpoints know only their own two parameters. */
const INCOMPLETE = 'Give both city and country, or both lat and lon without a city';

/** Creates the calls of the tools, by their names. Each calls the function that serves the endpoint with the same data. */
export function createCalls(options: CallOptions): ReadonlyMap<string, ToolCall> {
  const { locationAnswers, answerSuggestions, countRequest } = options;
  const calls = new Map<string, ToolCall>();

  for (const [name, endpoint] of Object.entries(LOCATION_TOOLS)) {
    calls.set(name, async (state, args) => {
      const { city, country, lat, lon } = args;
      // A call without a city, but with a coordinate, is by coordinates.
      const isPoint = isAbsent(city) && !(isAbsent(lat) && isAbsent(lon));
      const requestedBy: RequestedBy = isPoint ? 'coordinates' : 'name';
      const target = targetOf(endpoint.path, args);
      const rejected = await countRequest(state, 'weather', true);
      const answer = rejected
        ? { ...rejected, logFields: logFieldsOf(endpoint, requestedBy, target) }
        : await locationAnswers.answerQuery(endpoint, requestedBy, target, state.scope);
      const isIncomplete = (isPoint ? [lat, lon] : [city, country]).some(isAbsent);
      if (answer.status === 400 && isIncomplete) return { answer, result: { error: INCOMPLETE } };
      const knownArguments = ['city', 'country', 'lat', 'lon', ...Object.keys(endpoint.parameters)];
      const moreMembers = () => ({ ...dataAbout(answer), ...ignoredOf(args, knownArguments) });
      return { answer, result: resultOf(answer, moreMembers) };
    });
  }

  /** Returns the members about the data that a response by HTTP has in its headers. */
  function dataAbout(answer: Answer): Record<string, unknown> {
    const { provider = '', cache } = answer.logFields ?? {};
    return {
      provider,
      attribution: creditOf(provider) ?? null,
      age_seconds: Number(headerOf(answer, 'Age')),
      is_stale: cache === 'STALE',
    };
  }

  return calls.set(PLACES_TOOL, async (state, args) => {
    const rejected = await countRequest(state, 'suggestions', true);
    const answer = rejected ?? answerSuggestions(targetOf(SUGGESTIONS_PATH, args));
    return {
      answer: { ...answer, logFields: { kind: 'places' } },
      result: resultOf(answer, () => ({
        attribution: PLACES_CREDIT,
        ...ignoredOf(args, SUGGESTION_PARAMETERS),
      })),
    };
  });
}

/** Returns the body of an answer with more members, or the sentence of its error. */
function resultOf(answer: Answer, moreMembers: () => Record<string, unknown>): ToolResult {
  const body = JSON.parse(String(answer.body)) as Record<string, unknown>;
  if (answer.status === 200) return { data: { ...body, ...moreMembers() } };
  const { message } = body as unknown as ErrorBody;
  // The message of a rejection by a rate limit contains the wait already.
  const isUnavailable = answer.status === 503;
  const wait = isUnavailable ? ` Retry in ${headerOf(answer, 'Retry-After') ?? ''} seconds.` : '';
  return { error: `${message}${wait}` };
}

/** The names of the arguments that a tool does not have, as the header of a response names those of a query. */
function ignoredOf(args: Arguments, knownNames: readonly string[]): Record<string, unknown> {
  const [, names] = ignoredHeader(Object.keys(args), knownNames);
  return names === undefined ? {} : { ignored_arguments: names };
}

/** Returns arguments as the target of a request. A value that is neither a text nor a number counts as repeated. */
function targetOf(path: string, args: Arguments): Target {
  const parameters = Object.create(null) as QueryParameters;
  for (const [name, value] of Object.entries(args)) {
    if (isAbsent(value)) continue;
    const isScalar = typeof value === 'string' || typeof value === 'number';
    parameters[name] = isScalar ? String(value) : [];
  }
  return { path, query: '', isValid: true, parameters };
}

/** Models also write null or an empty text for an argument that they leave out. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
