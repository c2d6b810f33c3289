import compose from 'koa-compose';
import type { AppContext, AppMiddleware } from '../context.js';
import type { ResponseContext } from '../endpoints/endpoint.js';
import type { ErrorBody } from '../error-responses.js';
import { errors } from '../middleware/error-handler.js';
import { parseTarget, type Target } from '../request-target.js';

/** The result of a call: a JSON object, or the sentence of an error that a model can act on. */
export type ToolResult = { data: Record<string, unknown> } | { error: string };

/** Runs one call of a tool on the context of the request that contains it. Never throws. */
export type ToolCall = (ctx: AppContext, args: Record<string, unknown>) => Promise<ToolResult>;

/** The handler of an endpoint with its middleware: rate limits, validation, lookup. */
export interface EndpointHandler {
  path: string;
  handle: AppMiddleware;
}

/** The kind of a call that finds places, in the log. */
const PLACES_KIND = 'places';

/** The credit for data of the gazetteer. */
const PLACES_CREDIT = {
  text: 'Places from GeoNames, CC BY 4.0, and others',
  url: 'https://www.geonames.org/',
};

/** The sentence for a call whose location is incomplete. The endpoints know only their own two parameters. */
const INCOMPLETE = 'Give both city and country, or both lat and lon without a city';

/** A part of the names of the response headers about the limits. They stay on the response to the call. */
const ABOUT_LIMITS = 'ratelimit';

/** Creates the calls of a tool about a location. A call without a city, but with a coordinate, is by coordinates. */
export function createLocationCall(options: {
  byName: EndpointHandler;
  byCoordinates: EndpointHandler;
  creditOf: ResponseContext<unknown>['creditOf'];
}): ToolCall {
  const byName = requestTo(options.byName);
  const byCoordinates = requestTo(options.byCoordinates);
  return async (ctx, args) => {
    const { city, country, lat, lon } = args;
    const isPoint = isAbsent(city) && !(isAbsent(lat) && isAbsent(lon));
    const response = await (isPoint ? byCoordinates : byName)(ctx, args);
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
  const request = requestTo(handler);
  return async (ctx, args) => {
    ctx.state.kind = PLACES_KIND;
    const response = await request(ctx, args);
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
 * Runs the handler of an endpoint on the context of the call, as if the arguments were its query. No second HTTP request is
 * made: the client's address, the deadline, and the log record are those of the call. The headers of the response that is
 * not sent are removed.
 */
function requestTo({ path, handle }: EndpointHandler) {
  const respond = compose([errors(), handle]);
  return async (ctx: AppContext, args: Record<string, unknown>): Promise<Response> => {
    const { res, state } = ctx;
    const { target } = state;
    const namesBefore = new Set(res.getHeaderNames());
    state.target = targetOf(path, args);
    await respond(ctx, () => Promise.resolve());
    state.target = target;
    state.outcome = ctx.status;
    const headers = res.getHeaders();
    for (const name of Object.keys(headers)) {
      if (!namesBefore.has(name) && !name.includes(ABOUT_LIMITS)) res.removeHeader(name);
    }
    const { body, status } = ctx;
    return {
      status,
      body: (typeof body === 'string' ? JSON.parse(body) : body) as Record<string, unknown>,
      header: (name) => String(headers[name.toLowerCase()] ?? ''),
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
