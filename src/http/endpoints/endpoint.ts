import type { Credit } from '../../config/providers.js';
import type { Kind } from '../../weather/kinds/kind.js';
import type { LocationMatch } from '../../weather/location.js';
import type { PointRequest } from '../../weather/kinds/point.js';
import type { HeaderTable, ObjectSchema } from '../description/schemas.js';
import type { OptionsOf, ParameterRules } from '../input/parameters.js';
import type { RequestedBy } from './location-ways.js';

/** The facts about a request that its response is made of, besides the value. */
export interface ResponseContext<Options> {
  options: Options;
  located: LocationMatch;
  provider: string;
  /** The credit to show next to the data. */
  credit: Credit | null;
  /** The current time in Unix milliseconds, by the clock for which the data was current. */
  now: number;
}

/**
 * An endpoint with one kind of data about a location, at `path` and a path for each other way to
 * name a location. Routes, log records, and API description follow from it.
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
  /** The requests whose responses are public. Others belong to a session. */
  publicFor: readonly RequestedBy[];
  parameters: Rules;
  /** The response body without `location`. Its name is that of the operation, and `Record`. */
  body: ObjectSchema<Body>;
  /** @throws ServiceUnavailableError if the value has nothing to show */
  membersOf(value: Value, context: ResponseContext<OptionsOf<Rules>>): Body;
  /** Response headers that other endpoints do not have. */
  headers?: HeaderTable<[value: NoInfer<Value>, context: ResponseContext<OptionsOf<Rules>>]>;
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
