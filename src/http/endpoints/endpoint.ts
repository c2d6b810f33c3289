import type { Kind } from '../../weather/kinds/kind.js';
import type { LocationMatch } from '../../weather/location.js';
import type { PointRequest } from '../../weather/kinds/point.js';
import type { ObjectSchema } from '../description/schemas.js';
import { loggable, type RequestLogFields } from '../answer.js';
import type { OptionsOf, ParameterRules } from '../input/parameters.js';
import { isQueryWithinLimits, parametersOf, type Target } from '../input/request-target.js';

export type RequestedBy = 'name' | 'coordinates';

/** The facts about a request that its response is made of, besides the value. */
interface ResponseContext<Options> {
  options: Options;
  located: LocationMatch;
  provider: string;
  /** The reference time: now, by the clock by which the value was current when it was fetched. Unix time in milliseconds. */
  now: number;
}

/**
 * An endpoint that responds with one kind of data about a location. It serves GET requests at `path` for a city, and at
 * `<path>/coordinates` for coordinates. Routes, log records, and API description follow from it.
 */
export interface LocationEndpoint<
  Value extends object = object,
  Rules extends ParameterRules = ParameterRules,
  Body extends object = object,
> {
  path: string;
  aliases?: readonly string[];
  acceptsBody?: boolean;
  kind: Kind<PointRequest, Value>;
  /** The requests whose responses are public. Other requests belong to a session, which records searches by name. */
  publicFor: readonly RequestedBy[];
  parameters: Rules;
  /** The response body without `location`, its first member. Its name is that of the operation, and `Record`. */
  body: ObjectSchema<Body>;
  /** Returns the members of `body`. @throws ServiceUnavailableError if the value has nothing to show */
  membersOf(value: Value, context: ResponseContext<OptionsOf<Rules>>): Body;
  /** The names of the headers that `headersOf` returns. `tools/openapi/openapi.yaml` describes them. */
  headerNames?: readonly string[];
  /** Response headers that other endpoints do not have. */
  headersOf?(
    value: NoInfer<Value>,
    context: ResponseContext<OptionsOf<Rules>>,
  ): Record<string, string>;
  /** The data in a few words, for the API description: "Daily forecast" by city. */
  summary: string;
}

/** Defines an endpoint. The compiler checks that `membersOf` returns what `body` describes. */
export const locationEndpoint = <
  Value extends object,
  Rules extends ParameterRules,
  Body extends object,
>(
  endpoint: LocationEndpoint<Value, Rules, Body>,
): LocationEndpoint<Value, Rules, Body> => endpoint;

/** Returns the log fields of a request whose query names its location, before anything is validated. Never throws. */
export function logFieldsOf(
  endpoint: LocationEndpoint,
  requestedBy: RequestedBy,
  target: Target,
): RequestLogFields {
  if (target.resolved) return target.resolved.logFields;
  const logFields = logFieldsOfBody(endpoint);
  if (requestedBy === 'coordinates') return { ...logFields, latitude: null, longitude: null };
  // A query that is too long is rejected after the rate limits, which count it.
  const { city, country } = isQueryWithinLimits(target) ? parametersOf(target) : {};
  return { ...logFields, city: loggable(city), country: loggable(country) };
}

/** Returns the log fields of a request whose body names its location, before the body is read. */
export function logFieldsOfBody({ kind }: LocationEndpoint): RequestLogFields {
  return { event: 'weather_request', kind: kind.name, city: null, country: null };
}
