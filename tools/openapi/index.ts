import { definitions } from './definitions.js';
import { healthPaths } from './health.js';
import { info, tags } from './info.js';
import { toLlmsText } from './llms.js';
import { locationDefinitions, locationPaths } from './locations.js';
import { toOpenApi3 } from './openapi3.js';
import { inOrder } from './order.js';
import { placesDefinitions, placesPaths } from './places.js';
import { responses } from './responses.js';
import { toolSchemas } from './tools.js';
import { searchesPaths, securityDefinitions } from './searches.js';
import type { Description } from './types.js';

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
  paths: inOrder({ ...locationPaths, ...searchesPaths, ...placesPaths, ...healthPaths }),
  responses,
  definitions: { ...definitions, ...locationDefinitions, ...placesDefinitions },
};

/** The same description as an OpenAPI 3.1 document. */
export const description3 = toOpenApi3(description);

/** The schemas of the tools for assistants (MCP), made from the same description. */
export const mcpTools = toolSchemas(description3);

/** The same in plain text, for language models. */
export const llmsText = toLlmsText(description);
