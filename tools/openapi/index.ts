import { definitionsOf } from './definitions.js';
import { describeHealth } from './health.js';
import { describeRecentSearches } from './recent-searches.js';
import { describeSuggestions } from './suggestions.js';
import { ERROR, sharedResponses } from './responses.js';
import type { Description, Fields } from './types.js';
import { errorTitles } from './error-titles.js';
import { info, tags } from './info.js';
import { toLlmsText } from './llms.js';
import { describeLocations } from './locations.js';
import { toOpenApi3 } from './openapi3.js';
import { inOrder } from './order.js';
import { securityDefinitions } from './security.js';
import { publishedTools } from './tools.js';

/** What each endpoint adds, in the order of the documentation page. */
const parts = [
  describeLocations(),
  describeRecentSearches(),
  describeSuggestions(),
  describeHealth(),
];
const merged = <T>(objects: (Record<string, T> | undefined)[]): Record<string, T> =>
  Object.assign({}, ...objects) as Record<string, T>;

/** The schema of an error, with the list of all titles. */
function errorSchema(): Fields {
  const { properties, ...schema } = definitionsOf(ERROR)['Error'] as { properties: Fields };
  const error = { ...(properties['error'] as Fields), enum: errorTitles() };
  return { ...schema, properties: { ...properties, error } };
}

/**
 * The machine-readable description of the HTTP interface: an OpenAPI 2.0 document
 * (https://swagger.io/specification/v2/). It names neither host nor scheme, so it is true for every
 * address that serves it.
 */
export const description: Description = {
  swagger: '2.0',
  info,
  basePath: '/',
  consumes: ['application/json'],
  produces: ['application/json'],
  tags,
  // Unless an operation says otherwise.
  security: [],
  securityDefinitions,
  paths: inOrder(merged(parts.map(({ paths }) => paths))),
  responses: { ...sharedResponses(), ...merged(parts.map(({ responses }) => responses)) },
  definitions: { Error: errorSchema(), ...merged(parts.map(({ definitions }) => definitions)) },
};

/** The same description as an OpenAPI 3.1 document. */
export const description3 = toOpenApi3(description);

/** The tools for assistants (MCP), made from the same description. */
export const mcpTools = publishedTools(description);

/** The same in plain text, for language models. */
export const llmsText = toLlmsText(description);
