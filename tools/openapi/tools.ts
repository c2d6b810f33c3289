import { CONDITIONS } from '../../src/http/endpoints/conditions.js';
import { TOOLS, type Tool } from '../../src/http/mcp/tools.js';
import { freshness } from '../../src/http/description/headers.js';
import type { Fields } from '../../src/http/description/types.js';

/** The parts of the OpenAPI 3.1 document that are read here. Its schemas are JSON Schemas. */
interface OpenApi3 {
  paths: Record<string, { get: Operation } | undefined>;
  components: { schemas: Record<string, Fields> };
}

interface Operation {
  parameters: {
    name: string;
    in: string;
    required: boolean;
    description: string;
    schema: Fields;
  }[];
  responses: { 200: { content: { 'application/json': { schema: Fields } } } };
}

interface ObjectSchema {
  type: 'object';
  required: string[];
  properties: Record<string, Fields>;
}

/** Whether a keyword is a format of OpenAPI that JSON Schema does not have: its validators warn of it. */
const isOpenApiFormat = (keyword: string, value: unknown): boolean =>
  keyword === 'format' && ['double', 'int32', 'int64'].includes(String(value));

/**
 * Makes the JSON Schemas of the arguments and of the result of each tool of the Model Context Protocol, by its name, from the
 * API description. The arguments are the parameters of the endpoint. The result is the body of its response, with what its
 * headers say about the data.
 * @param openApi3 the API description in OpenAPI 3.1
 */
export function toolSchemas(
  openApi3: object,
): Record<string, { inputSchema: object; outputSchema: object }> {
  const document = openApi3 as OpenApi3;
  const schemaOf = (name: string) => document.components.schemas[name] as Fields & ObjectSchema;
  const { provider, attribution } = schemaOf(CONDITIONS.body.name).properties;

  /** The members of a result that are headers of a response, or that responses by HTTP do not have. */
  function moreMembers({ endpoint }: Tool): Fields {
    if (!('kind' in endpoint)) return { attribution: { ...attribution, type: 'object' } };
    const { type, minimum, description } = freshness.Age;
    return {
      ...{ provider, attribution },
      age_seconds: { type, minimum, description },
      is_stale: {
        type: 'boolean',
        description: 'Whether this is older data, because every provider fails.',
      },
    };
  }

  /** Replaces references by the schemas, because not every client resolves them. Leaves out what validators do not use. */
  function resolved(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...fields } = value as Fields;
    if (typeof $ref === 'string') return resolved(schemaOf($ref.split('/').at(-1) ?? ''));
    return Object.fromEntries(
      Object.entries(fields)
        .filter(([name, each]) => name !== 'examples' && !isOpenApiFormat(name, each))
        .map(([name, each]) => [name, resolved(each)]),
    );
  }

  function schemasOf(tool: Tool) {
    const { path } = tool.endpoint;
    const operations = [path, `${path}/coordinates`].flatMap(
      (each) => document.paths[each]?.get ?? [],
    );
    const [first] = operations;
    if (!first) throw new Error(`The tool ${tool.name} has no endpoint`);
    const queried = operations.map(({ parameters }) =>
      parameters.filter((parameter) => parameter.in === 'query'),
    );
    const body = resolved(first.responses[200].content['application/json'].schema) as ObjectSchema;
    const more = resolved(moreMembers(tool)) as ObjectSchema['properties'];
    const properties = { ...body.properties, ...more };
    return {
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(
          queried
            .flat()
            .map(({ name, description, schema }) => [
              name,
              resolved({ ...schema, description }) as Fields,
            ]),
        ),
        // A location has two forms, so no parameter of one form is required.
        required: queried
          .flat()
          .filter(({ name, required }) => required && queried.every((form) => has(form, name)))
          .map(({ name }) => name),
      },
      outputSchema: { type: 'object', required: Object.keys(properties), properties },
    };
  }

  return Object.fromEntries(TOOLS.map((tool) => [tool.name, schemasOf(tool)]));
}

const has = (parameters: { name: string }[], name: string): boolean =>
  parameters.some((parameter) => parameter.name === name);
