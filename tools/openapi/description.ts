import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { SERVICE_NAME, SERVICE_VERSION } from '../../src/base/version.js';
import type { HeaderTable, ObjectSchema } from '../../src/http/description/schemas.js';
import { DATA_HEADERS } from '../../src/http/data-headers.js';
import type { LocationEndpoint } from '../../src/http/endpoints/endpoint.js';
import type { RequestedBy } from '../../src/http/endpoints/location-ways.js';
import { AIRPORT_EXAMPLE } from '../../src/http/endpoints/found-place.js';
import { LOCATION_ENDPOINTS, waysOf } from '../../src/http/endpoints/location-routes.js';
import { CREDITS } from './credits.js';
import {
  mapValues,
  type Document,
  type Fields,
  type Parameter,
  type Response,
  type Schema,
} from './types.js';

/** Makes the description of `openapi.yaml` and the tables of the endpoints about a location. */

interface ShortResponse extends Fields {
  description?: string;
  headers?: string[] | undefined;
  error?: [string, string];
  body?: string;
  example?: object;
}
interface ShortOperation extends Fields {
  description: string;
  parameters?: Parameter[];
  responses: Record<string, ShortResponse>;
}
interface Way extends ShortOperation {
  operationId: string;
  title: string;
}
interface Access extends ShortOperation {
  data: string[];
  account: string[];
}
type ShortSchema = Schema | string;
interface Source {
  paths: Record<string, Record<string, ShortOperation>>;
  components: Fields & {
    headers: Record<string, ShortSchema>;
    responses: Record<string, ShortResponse>;
    schemas: Record<string, { properties: Record<string, ShortSchema>; examples: object[] }>;
  };
  'x-headers': Record<string, string[]>;
  'x-location': Record<RequestedBy | 'body', Way> & {
    access: Record<RequestedBy | 'public', Access>;
    ifNoneMatch: Parameter;
  };
  'x-texts': Record<string, string>;
  'x-llms': { introduction: string; details: string[] };
}

const file = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');
const parsed = parse(file, { merge: true }) as Source;
const values: Record<string, string> = {
  ...parsed['x-texts'],
  version: SERVICE_VERSION,
  service: SERVICE_NAME,
  credits: CREDITS.map(({ credit }) => credit).join(' · '),
};
const filled = (text: string): string =>
  text.replace(/\$\{(\w+)\}/g, (_, name: string) => filled(values[name]!));
const {
  'x-headers': groups,
  'x-location': location,
  'x-texts': texts,
  'x-llms': llms,
  ...source
} = JSON.parse(JSON.stringify(parsed), (_, value: unknown) =>
  typeof value === 'string' ? filled(value) : value,
) as Source;
export { llms, texts };

/** The location of the examples of an endpoint: that of `place` in its body, if it has one. */
export function exampleLocation({ body }: LocationEndpoint) {
  const paris = { city: 'Paris', country: 'France', latitude: 48.8566, longitude: 2.3522 };
  const { place = paris } = body.example as { place?: typeof paris };
  const { city, country, latitude, longitude } = place;
  const round = (number: number) => Number(number.toFixed(4));
  return { city, country, latitude: round(latitude), longitude: round(longitude) };
}

/** The members of the example of a response that depend on the way to request its location. */
function exampleOf(endpoint: LocationEndpoint, by: RequestedBy) {
  const { example } = bodyOf(endpoint);
  if (by === 'name') return example;
  if (by === 'coordinates') return { ...example, location: exampleLocation(endpoint) };
  const { city, country, latitude, longitude } = AIRPORT_EXAMPLE;
  return { ...example, location: { city, country, latitude, longitude }, place: AIRPORT_EXAMPLE };
}

/** The complete body of a response. */
function bodyOf(endpoint: LocationEndpoint): ObjectSchema<object> {
  const { properties, example } = endpoint.body;
  const found = { ...exampleLocation(endpoint), latitude: null, longitude: null };
  return {
    ...endpoint.body,
    properties: { location: { $ref: '#/components/schemas/Location' }, ...properties },
    example: { location: found, ...example },
  };
}

/** The schemas of bodies, and of all to which they refer. */
const schemasOf = (bodies: readonly ObjectSchema<object>[]): Source['components']['schemas'] =>
  merged(
    bodies.map(({ name, properties, example, refersTo, required }) => ({
      [name]: { properties, examples: [example], ...(required && { required }) },
      ...schemasOf(refersTo),
    })),
  );

function merged<T>(objects: Readonly<Record<string, T>>[]): Record<string, T> {
  return Object.assign({}, ...objects) as Record<string, T>;
}

function parametersOf(endpoint: LocationEndpoint, common: Parameter[]): Parameter[] {
  const { city, country, latitude: lat, longitude: lon } = exampleLocation(endpoint);
  const { code } = AIRPORT_EXAMPLE;
  const examples: Record<string, string | number> = { city, country, lat, lon, code };
  const own = Object.values(endpoint.parameters).map(({ description: rule }) => {
    const { name, description, ...schema } = rule;
    return { name, in: 'query', required: false, description, schema, example: rule.default };
  });
  const ofLocation = common.map((each) => ({ ...each, example: examples[each.name]! }));
  return [...ofLocation, ...own, location.ifNoneMatch];
}

/** The rows for parameters that have a range, in the table of errors. Others are always valid. */
const rangeFaults = ({ parameters }: LocationEndpoint): string =>
  Object.values(parameters)
    .filter(({ description }) => description.minimum !== undefined)
    .map(
      ({ description: { name, minimum, maximum } }) =>
        `\n| Invalid ${name} | not a whole number from ${minimum} to ${maximum} |`,
    )
    .join('');

/** The operation of an endpoint for one way to request a location. */
function operation(endpoint: LocationEndpoint, way: RequestedBy | 'body', isAlias: boolean) {
  const { path, summary, publicFor, headers: own = {} } = endpoint;
  const { operationId, title, description, parameters, ...common } = location[way];
  const by = way === 'body' ? 'name' : way;
  const access = location.access[publicFor.includes(by) ? 'public' : by];
  const data = [...Object.keys(DATA_HEADERS), ...access.data, ...Object.keys(own)];
  const { example, name } = bodyOf(endpoint);
  const found = {
    // The values that the public contract fixes are never null.
    description: `${summary}.${'place' in example ? ' A value that the provider does not have is null.' : ''}`,
    headers: ['data'],
    body: name,
    example: exampleOf(endpoint, by),
  };
  const invalid = common.responses['400']!;
  const described = {
    200: found,
    ...common.responses,
    ...(parameters && {
      400: { ...invalid, description: invalid.description! + rangeFaults(endpoint) },
    }),
    ...access.responses,
  };
  return {
    tags: [path.startsWith('/api/v1/forecast') ? 'forecast' : 'weather'],
    operationId: operationId.replace('{}', name.replace(/Record$/, '')) + (isAlias ? 'Legacy' : ''),
    summary: `${summary} ${title}${isAlias ? ` (alias of ${path})` : ''}`,
    description: `${description} ${access.description}`,
    ...common,
    ...(parameters && { parameters: parametersOf(endpoint, parameters) }),
    responses: mapValues(described, ({ headers, ...response }) => ({
      ...response,
      headers: headers?.flatMap((each) => ({ data, account: access.account })[each] ?? each),
    })),
  };
}

const byCity = (endpoint: LocationEndpoint, isAlias: boolean) => ({
  get: operation(endpoint, 'name', isAlias),
  ...(endpoint.acceptsBody && { post: operation(endpoint, 'body', isAlias) }),
});
const pathsOf = (endpoint: LocationEndpoint): Source['paths'] => ({
  [endpoint.path]: byCity(endpoint, false),
  ...merged(
    waysOf(endpoint)
      .filter(({ suffix }) => suffix !== '')
      .map(({ by, suffix }) => ({
        [endpoint.path + suffix]: { get: operation(endpoint, by, false) },
      })),
  ),
});
const aliasesOf = (endpoint: LocationEndpoint): Source['paths'] =>
  merged((endpoint.aliases ?? []).map((alias) => ({ [alias]: byCity(endpoint, true) })));

// The richest endpoint is the first one of the documentation page, and the aliases are the last.
const isRichest = ({ path }: LocationEndpoint) => path === '/api/v1/conditions';
const endpoints = LOCATION_ENDPOINTS.toSorted((a, b) => +isRichest(b) - +isRichest(a));
const paths = merged([...endpoints.map(pathsOf), source.paths, ...endpoints.map(aliasesOf)]);
const { headers: common, responses, schemas, ...components } = source.components;
/** The headers that are described where they are made. */
const tables: HeaderTable<never>[] = [
  DATA_HEADERS,
  ...endpoints.map(({ headers = {} }) => headers),
];
const made = Object.entries(merged(tables));
const headers = {
  ...common,
  ...merged(made.map(([name, { schema }]) => ({ [name]: schema.object }))),
};
const allSchemas = { ...schemas, ...schemasOf(endpoints.map(bodyOf)) };

const schemaOf = (short: ShortSchema): Schema =>
  typeof short === 'string' ? { type: 'string', description: short } : short;

/** Returns the names of groups and headers, with each group replaced by its headers. */
const headersIn = (names: string[]): string[] =>
  names.flatMap((name) => (groups[name] ? headersIn(groups[name]) : name));
const occasional = [
  ...headersIn(['optional']),
  ...made.flatMap(([name, { isOptional }]) => (isOptional ? name : [])),
];

function responseOf(short: ShortResponse): Response {
  const { headers: names, error, body = error && 'Error', example, ...others } = short;
  const refer = (name: string) => ({
    [name.split('.')[0]!]: { $ref: `#/components/headers/${name}` },
  });
  const [title, message] = error ?? [];
  const shown = error ? { error: title, message } : (example ?? allSchemas[body!]?.examples[0]);
  const media = { schema: { $ref: `#/components/schemas/${body}` }, example: shown };
  return {
    ...others,
    ...(names && { headers: merged(headersIn(names).map(refer)) }),
    ...(body && { content: { 'application/json': media } }),
  };
}

/** The description. It has no host, so it is true for every URL that serves it. */
export const description3: Document = {
  ...(source as unknown as Document),
  paths: mapValues(paths, (item) =>
    mapValues(item, (each) => ({ ...each, responses: mapValues(each.responses, responseOf) })),
  ) as Document['paths'],
  components: {
    ...components,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, short]) => {
        const { description, ...schema } = schemaOf(short);
        const text = description ?? `Always \`${schema.enum![0]}\`.`;
        return [name, { description: text, required: !occasional.includes(name), schema }];
      }),
    ),
    responses: mapValues(responses, responseOf),
    schemas: mapValues(allSchemas, ({ properties, ...others }) => ({
      type: 'object',
      required: Object.keys(properties),
      properties: mapValues(properties, schemaOf),
      ...others,
    })),
  },
};

/** Titles of errors that belong to no operation: of HTTP itself, and of `POST /mcp`. */
const OF_HTTP = ['Bad request', 'Forbidden', 'Invalid request', 'Method not allowed', 'Not found'];
const json = JSON.stringify(description3);
const ofExamples = [...json.matchAll(/"error":"([^"]+)"/g)];
const ofTables = [...json.matchAll(/\\n\| (?!`error`)([^|]+) \| /g)];
const titles = [...ofExamples, ...ofTables].flatMap(([, titles]) => titles!.split(', '));
description3.components.schemas['Error']!.properties!['error']!.enum = [
  ...new Set([...titles, ...OF_HTTP]),
].sort();
