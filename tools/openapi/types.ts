/** The parts of an OpenAPI 3.1 document that are read or made here. */

export type Fields = Record<string, unknown>;

export interface Schema extends Fields {
  $ref?: string;
  type?: string | string[] | undefined;
  description?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
  examples?: unknown[] | undefined;
}

export interface Parameter extends Fields {
  name: string;
  in: string;
  description: string;
  schema: Schema & { minimum?: number; maximum?: number; default?: number | string };
  example?: string | number;
}

export interface Response extends Fields {
  $ref?: string;
  headers?: Record<string, { $ref: string }> | undefined;
  content?: Content;
}
interface Content {
  'application/json': { schema: Schema; example: object | undefined };
}

export interface Operation extends Fields {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
}

export interface Document extends Fields {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    headers: Record<string, { description: string; required: boolean; schema: Schema }>;
    responses: Record<string, Response>;
    schemas: Record<string, Schema>;
  };
}

export const mapValues = <T, R>(fields: Record<string, T>, map: (value: T) => R) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)])) as Record<
    string,
    R
  >;

/** The name of the component to which a reference points. */
export const nameIn = (reference: string): string => reference.split('/').at(-1)!;
