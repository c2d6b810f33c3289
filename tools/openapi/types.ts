/** The parts of an OpenAPI 2.0 document that its translation to 3.1 reads. */

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
  parameters?: Parameter[];
  responses: Record<string, Response>;
}

export interface Description {
  swagger: '2.0';
  info: object;
  basePath: string;
  consumes: string[];
  produces: string[];
  tags: object[];
  security: object[];
  securityDefinitions: object;
  paths: Record<string, Record<string, Operation>>;
  responses: Record<string, Response>;
  definitions: Record<string, Fields>;
}
