import {
  mapValues,
  nameIn,
  type Document,
  type Fields,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from './types.js';

/** The session: OpenAPI 2.0 has no `in: cookie`. */
const securityDefinitions = {
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'Cookie',
    description:
      'The signed cookie `session`, as `session=…; session.sig=…`. The first request for weather sets it. ' +
      'A browser stores and sends it by itself, also on this page: leave the field empty.',
  },
};

/**
 * Translates the description into OpenAPI 2.0 (https://swagger.io/specification/v2/), which cannot
 * say which headers are always present, and which values can be null.
 */
export function toOpenApi2({ info, tags, security, paths, components }: Document) {
  const { headers: sharedHeaders, responses, schemas } = components;

  const operation = ({ parameters = [], requestBody, responses, ...common }: Operation) => ({
    ...common,
    ...(requestBody && { parameters: [body(requestBody)] }),
    ...(parameters.length > 0 && { parameters: parameters.map(parameter) }),
    responses: mapValues(responses, response),
  });

  function response({ content, headers = {}, ...others }: Response): Fields {
    if (others.$ref !== undefined) return { $ref: moved(others.$ref) };
    const json = content?.['application/json'];
    return {
      ...others,
      ...(json && {
        schema: schemaOf(json.schema),
        examples: { 'application/json': json.example },
      }),
      headers: mapValues(headers, ({ $ref }) => {
        const { description, schema } = sharedHeaders[nameIn($ref)]!;
        // The format has no examples of headers.
        return { description, ...schemaOf({ ...schema, examples: undefined }) };
      }),
    };
  }

  return {
    swagger: '2.0',
    info,
    basePath: '/',
    consumes: ['application/json'],
    produces: ['application/json'],
    tags,
    security,
    securityDefinitions,
    paths: mapValues(paths, (item) => mapValues(item, operation)),
    responses: mapValues(responses, response),
    definitions: mapValues(schemas, schemaOf),
  };
}

const parameter = ({ schema, example, ...others }: Parameter) => ({
  ...others,
  ...schemaOf(schema),
  ...(example !== undefined && { 'x-example': example }),
});

const body = ({ content, ...others }: NonNullable<Operation['requestBody']>) => ({
  name: 'body',
  in: 'body',
  ...others,
  schema: schemaOf(content['application/json'].schema),
});

/** OpenAPI 2.0 has no null. `x-nullable` is common to its tools. */
function schemaOf({ $ref, type, examples, ...rest }: Schema): Fields {
  if ($ref !== undefined) return { $ref: moved($ref) };
  const { properties, items, additionalProperties } = rest;
  return {
    ...(Array.isArray(type) ? { type: type[0], 'x-nullable': true } : { type }),
    ...rest,
    ...(properties && { properties: mapValues(properties, schemaOf) }),
    ...(items && { items: schemaOf(items) }),
    ...(additionalProperties && { additionalProperties: schemaOf(additionalProperties) }),
    ...(examples && { example: examples[0] }),
  };
}

const moved = (reference: string): string =>
  reference
    .replace('#/components/schemas/', '#/definitions/')
    .replace('#/components/responses/', '#/responses/');
