import { definitions } from './definitions.js';
import { healthPaths } from './health.js';
import { info, tags } from './info.js';
import { placesDefinitions, placesPaths } from './places.js';
import { responses } from './responses.js';
import { searchesPaths, securityDefinitions } from './searches.js';
import type { Description } from './types.js';
import { weatherPaths } from './weather.js';

/**
 * The machine-readable description of the HTTP interface: an OpenAPI 2.0 document
 * (https://swagger.io/specification/v2/). It names neither host nor scheme, so it holds wherever
 * it is served from.
 *
 * @param about.version version of the service, as `package.json` has it
 */
export function createDescription(about: { version: string }): Description {
  return {
    swagger: '2.0',
    info: info(about.version),
    basePath: '/',
    consumes: ['application/json'],
    produces: ['application/json'],
    tags,
    // Unless an operation says otherwise.
    security: [],
    securityDefinitions,
    paths: { ...weatherPaths, ...searchesPaths, ...placesPaths, ...healthPaths },
    responses,
    definitions: { ...definitions, ...placesDefinitions },
  };
}
