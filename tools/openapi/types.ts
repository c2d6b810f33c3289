/** The parts of an OpenAPI 2.0 document. */

import type { Tag } from './info.js';

export type Fields = Record<string, unknown>;

export interface Parameter extends Fields {
  name: string;
  in: string;
  required: boolean;
  description: string;
}

export interface Response {
  $ref?: string;
  description?: string;
  schema?: Fields;
  headers?: Record<string, Fields>;
  examples?: { 'application/json': object };
}

export interface Operation extends Fields {
  tags?: Tag[];
  parameters?: Parameter[];
  responses: Record<string, Response>;
}

/** The operations of each path, by their methods. */
export type Paths = Record<string, Record<string, Operation>>;

/** The part of the description that one endpoint adds. */
export interface DescriptionPart {
  paths: Paths;
  /** Responses and schemas to which its operations refer, by their names. */
  responses?: Record<string, Response>;
  definitions?: Record<string, Fields>;
}

export interface Description {
  swagger: '2.0';
  info: object;
  basePath: string;
  consumes: string[];
  produces: string[];
  tags: readonly object[];
  security: object[];
  securityDefinitions: object;
  paths: Paths;
  responses: Record<string, Response>;
  definitions: Record<string, Fields>;
}
