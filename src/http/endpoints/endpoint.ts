import type { Kind } from '../../weather/kind.js';
import type { LocationMatch } from '../../weather/location.js';
import type { PointRequest } from '../../weather/point.js';
import type { Point } from '../../weather/types.js';
import type { OptionsOf, ParameterRules } from '../parameters.js';

/** A schema object of OpenAPI 2.0. */
export type Schema = Record<string, unknown>;

/** How a request names its location. */
export type RequestedBy = 'name' | 'coordinates';

/** The facts about a request that its response is made of, besides the value. */
export interface ResponseContext<Options> {
  /** The values of the endpoint's parameters. */
  options: Options;
  located: LocationMatch;
  /** The provider of the value. */
  provider: string;
  /** The instant that counts as the present for the value, in milliseconds since the Unix epoch. */
  now: number;
  /** Returns the IANA name of the time zone at a point. */
  timeZoneAt: (point: Point) => string;
  /** Returns text and link of the credit that a provider requires; undefined for a provider that is not known. */
  creditOf: (provider: string) => { text: string; url: string | null } | undefined;
}

/**
 * An endpoint that responds with one kind of data about a location. It serves GET requests at `path` for a city, and at
 * `<path>/coordinates` for coordinates. Routes, log records, and API description follow from it.
 */
export interface LocationEndpoint<
  Value extends object = object,
  Rules extends ParameterRules = ParameterRules,
> {
  path: string;
  /** Further paths for a city. */
  aliases?: readonly string[];
  /** Whether POST requests with a JSON body are served, too. */
  acceptsBody?: boolean;
  kind: Kind<PointRequest, Value>;
  /** The requests whose responses are public. Other requests belong to a session, which records searches by name. */
  publicFor: readonly RequestedBy[];
  /** The parameters that only this endpoint has. */
  parameters: Rules;
  /** The members of the response body after `location`. @throws ServiceUnavailableError if the value has nothing to show */
  membersOf(value: Value, context: ResponseContext<OptionsOf<Rules>>): object;
  /** Response headers in addition to those about session, cache, and provider. */
  headersOf(value: Value, context: ResponseContext<OptionsOf<Rules>>): Record<string, string>;
  description: EndpointDescription;
}

/** The words, schemas, and examples of an endpoint in the API description (OpenAPI 2.0). */
export interface EndpointDescription {
  tag: 'weather' | 'forecast';
  /** Such as `Forecast`, for the operations `getForecast` and `getForecastByCoordinates`. */
  operation: string;
  /** The data in a few words: "Daily forecast" by city. */
  summary: string;
  /** The data in a sentence. */
  response: string;
  /** The name of the schema of the body. */
  schema: string;
  /** The schemas of the members after `location`. */
  members: Record<string, Schema>;
  /** Further schemas to which the members refer, by their names: their members, and an example. */
  definitions: Record<string, { members: Record<string, Schema>; example: object }>;
  /** Headers that only this endpoint has. */
  headers: Record<string, Schema>;
  example: {
    location: { city: string; country: string; latitude: number; longitude: number };
    members: object;
  };
}
