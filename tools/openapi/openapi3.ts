import { OCCASIONAL_HEADERS } from './headers.js';
import { sessionCookie } from './security.js';
import type { Description, Fields, Operation, Parameter, Response } from './types.js';

const JSON_TYPE = 'application/json';

/**
 * Translates the description into an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0), so that the two cannot
 * differ. The result also says what OpenAPI 2.0 cannot express: which headers are always present, which values can be
 * null, and that the session is a cookie.
 */
export function toOpenApi3(description: Description): object {
  const { info, tags, security, paths, responses, definitions } = description;
  return {
    openapi: '3.1.0',
    info,
    // The folder of this document, so that it is right behind a path prefix.
    servers: [{ url: '.' }],
    tags,
    security,
    paths: mapValues(paths, (item) => mapValues(item, operation)),
    components: {
      schemas: mapValues(definitions, schema),
      responses: mapValues(responses, response),
      securitySchemes: { session: sessionCookie },
    },
  };
}

function operation({ parameters = [], responses, ...common }: Operation): object {
  const body = parameters.find((each) => each.in === 'body');
  const others = parameters.filter((each) => each !== body).map(parameter);
  return {
    ...common,
    ...(others.length > 0 && { parameters: others }),
    ...(body && { requestBody: requestBody(body) }),
    responses: mapValues(responses, response),
  };
}

function parameter({ name, in: place, required, description, ...rest }: Parameter): object {
  const { 'x-example': example, ...type } = rest;
  return {
    name,
    in: place,
    required,
    description,
    schema: schema(type),
    ...(example !== undefined && { example }),
  };
}

function requestBody({ required, description, schema: body }: Parameter): object {
  return { required, description, content: { [JSON_TYPE]: { schema: schema(body as Fields) } } };
}

function response({ $ref, description, schema: body, headers = {}, examples }: Response): object {
  if ($ref !== undefined) return { $ref: moved($ref) };
  return {
    description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, fields]) => [name, header(name, fields)]),
    ),
    ...(body && {
      content: { [JSON_TYPE]: { schema: schema(body), example: examples?.[JSON_TYPE] } },
    }),
  };
}

function header(name: string, { description, ...type }: Fields): object {
  return { description, required: !OCCASIONAL_HEADERS.has(name), schema: schema(type) };
}

/** Translates a schema. In 3.1 it is JSON Schema: null is a type, and examples are a list. */
function schema(fields: Fields): object {
  const { $ref, type, 'x-nullable': nullable, example, ...rest } = fields;
  if (typeof $ref === 'string') return { $ref: moved($ref) };
  const { properties, items, additionalProperties } = rest;
  return {
    type: nullable === true ? [type, 'null'] : type,
    ...rest,
    ...(isFields(properties) && { properties: mapValues(properties, schema) }),
    ...(isFields(items) && { items: schema(items) }),
    ...(isFields(additionalProperties) && { additionalProperties: schema(additionalProperties) }),
    ...(example !== undefined && { examples: [example] }),
  };
}

const isFields = (value: unknown): value is Record<string, Fields> & Fields =>
  typeof value === 'object' && value !== null;

function moved(reference: string): string {
  return reference
    .replace('#/definitions/', '#/components/schemas/')
    .replace('#/responses/', '#/components/responses/');
}

function mapValues<T, R>(fields: Record<string, T>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));
}
