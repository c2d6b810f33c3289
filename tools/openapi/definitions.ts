import type { ObjectSchema, SchemaObject } from '../../src/http/description/schemas.js';

/** The definitions of object schemas and of all to which they refer. They are open: clients must accept new members. */
export function definitionsOf(...schemas: ObjectSchema<object>[]): Record<string, SchemaObject> {
  return Object.assign(
    {},
    ...schemas.map(({ name, properties, example, refersTo }) => ({
      [name]: { type: 'object', required: Object.keys(properties), properties, example },
      ...definitionsOf(...refersTo),
    })),
  ) as Record<string, SchemaObject>;
}
