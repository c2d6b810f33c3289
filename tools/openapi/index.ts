import { definitions } from './definitions.js';
import { forecastDefinitions, forecastPaths } from './forecast.js';
import { healthPaths } from './health.js';
import { info, tags } from './info.js';
import { toLlmsText } from './llms.js';
import { toOpenApi3 } from './openapi3.js';
import { inOrder } from './order.js';
import { placesDefinitions, placesPaths } from './places.js';
import { responses } from './responses.js';
import { searchesPaths, securityDefinitions } from './searches.js';
import type { Description } from './types.js';
import { weatherPaths } from './weather.js';

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
  paths: inOrder({
    ...weatherPaths,
    ...forecastPaths,
    ...searchesPaths,
    ...placesPaths,
    ...healthPaths,
  }),
  responses,
  definitions: { ...definitions, ...forecastDefinitions, ...placesDefinitions },
};

/** The same description as an OpenAPI 3.1 document. */
export const description3 = toOpenApi3(description);

/** The same in plain text, for language models. */
export const llmsText = toLlmsText(description);
