/**
 * Writes the types of the API for the web page, from the API description. `npm run types` runs this
 * before it checks the page, which imports nothing but these types.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { description3 } from '../openapi/index.js';

const FOLDER = '.cache';

mkdirSync(FOLDER, { recursive: true });
writeFileSync(
  `${FOLDER}/api-types.d.ts`,
  astToString(await openapiTS(description3 as object as OpenAPI3)),
);
