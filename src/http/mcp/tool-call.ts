import { headerOf, type Answer } from '../answer.js';
import type { RequestState } from '../context.js';
import type { ResponseContext } from '../endpoints/endpoint.js';
import type { ErrorBody } from '../error-answers.js';
import { parseTarget, type Target } from '../request-target.js';

/** The result of a call: a JSON object, or the sentence of an error that a model can act on. */
export type ToolResult = { data: Record<string, unknown> } | { error: string };

/** The request that contains a call. */
export interface CallingRequest {
  state: RequestState;
  /** The answer of the endpoint that the call stands for, once there is one. */
  answer?: Answer;
}

/** Runs one call of a tool. Never throws. */
export type ToolCall = (
  request: CallingRequest,
  args: Record<string, unknown>,
) => Promise<ToolResult>;

/** Answers a request to an endpoint, with its rate limits. Never throws. */
export interface EndpointHandler {
  path: string;
  answer: (state: RequestState, target: Target) => Promise<Answer>;
}

/** The credit for data of the gazetteer. */
const PLACES_CREDIT = {
  text: 'Places from GeoNames, CC BY 4.0, and others',
  url: 'https://www.geonames.org/',
};

/** The sentence for a call whose location is incomplete. The endpoints know only their own two parameters. */
const INCOMPLETE = 'Give both city and country, or both lat and lon without a city';

/** Creates the calls of a tool about a location. A call without a city, but with a coordinate, is by coordinates. */
export function createLocationCall(options: {
  byName: EndpointHandler;
  byCoordinates: EndpointHandler;
  creditOf: ResponseContext<unknown>['creditOf'];
}): ToolCall {
  const byName = requestTo(options.byName);
  const byCoordinates = requestTo(options.byCoordinates);
  return async (request, args) => {
    const { city, country, lat, lon } = args;
    const isPoint = isAbsent(city) && !(isAbsent(lat) && isAbsent(lon));
    const response = await (isPoint ? byCoordinates : byName)(request, args);
    const isIncomplete = (isPoint ? [lat, lon] : [city, country]).some(isAbsent);
    if (response.status === 400 && isIncomplete) return { error: INCOMPLETE };
    if (response.status !== 200) return failed(response);
    const provider = response.header('X-Weather-Provider');
    return {
      data: {
        ...response.body,
        provider,
        attribution: options.creditOf(provider) ?? null,
        age_seconds: Number(response.header('Age')),
        is_stale: response.header('X-Cache') === 'STALE',
      },
    };
  };
}

/** Creates the calls of the tool that finds places. */
export function createPlacesCall(handler: EndpointHandler): ToolCall {
  const respond = requestTo(handler);
  return async (request, args) => {
    const response = await respond(request, args);
    if (response.status !== 200) return failed(response);
    return { data: { ...response.body, attribution: PLACES_CREDIT } };
  };
}

/** The response to the request that a call stands for. */
interface Response {
  status: number;
  body: Record<string, unknown>;
  header: (name: string) => string;
}

/**
 * Asks an endpoint, as if the arguments were the query of a request. No second HTTP request is made: the client's address,
 * the deadline, and the log record are those of the call.
 */
function requestTo({ path, answer }: EndpointHandler) {
  return async (request: CallingRequest, args: Record<string, unknown>): Promise<Response> => {
    const target = targetOf(path, args);
    const given = await answer(request.state, target);
    request.answer = given;
    return {
      status: given.status,
      body: JSON.parse(String(given.body)) as Record<string, unknown>,
      header: (name) => headerOf(given, name) ?? '',
    };
  };
}

/** Writes arguments as the query of a request. */
function targetOf(path: string, args: Record<string, unknown>): Target {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (isAbsent(value)) continue;
    const isScalar = typeof value === 'string' || typeof value === 'number';
    // A value of another type breaks the same rule as a repeated parameter: it is not one text.
    for (const text of isScalar ? [String(value)] : ['', '']) query.append(name, text);
  }
  return parseTarget(`${path}?${query.toString()}`);
}

/** Models also write null or an empty text for an argument that they leave out. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Makes a sentence of an error response. The message of a rejection by a rate limit contains the wait already. */
function failed({ status, body, header }: Response): { error: string } {
  const { message } = body as unknown as ErrorBody;
  const wait = status === 503 ? ` Retry in ${header('Retry-After')} seconds.` : '';
  return { error: `${message}${wait}` };
}
