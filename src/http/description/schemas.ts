/**
 * Schemas of response members (OpenAPI 3.1): from one table follow the type of a response, its
 * description, its example, and the validation in the tests. The values are object literals: a loop
 * over a table takes 80 µs longer (decision 45).
 */

type SchemaObject = Record<string, unknown>;

/** A schema whose values have a type. */
export interface Schema<Value> {
  object: SchemaObject;
  refersTo?: readonly ObjectSchema<object>[];
  /** Only for the compiler. */
  readonly value?: Value;
}

/** The schema of an object, with the name under which the API description has it. */
export interface ObjectSchema<Value extends object> {
  name: string;
  /** The schema of each member. */
  properties: Readonly<Record<string, SchemaObject>>;
  example: Value;
  refersTo: readonly ObjectSchema<object>[];
  /** The names of the members that every response has. Absent: it has all. */
  required?: readonly string[];
}

/** Headers by name. The API description and the headers that pages may read are made from it. */
export type HeaderTable<Args extends unknown[]> = Readonly<
  Record<
    string,
    {
      /** With an example. */
      schema: Schema<unknown>;
      /** Undefined: the response does not have the header. */
      valueFor(...args: Args): string | undefined;
      isOptional?: true;
    }
  >
>;

export type ValueOf<S> = S extends ObjectSchema<infer Value> ? Value : never;

/** Defines an object. @param members schema and example of each, in the order of a response */
export function objectSchema<Value extends object>(
  name: string,
  members: { [Name in keyof Value]: readonly [Schema<Value[Name]>, NoInfer<Value[Name]>] },
): ObjectSchema<Value> {
  const rows = Object.entries<readonly [Schema<unknown>, unknown]>(members);
  return {
    name,
    properties: Object.fromEntries(rows.map(([member, [{ object }]]) => [member, object])),
    example: Object.fromEntries(rows.map(([member, [, example]]) => [member, example])) as Value,
    refersTo: rows.flatMap(([, [{ refersTo = [] }]]) => refersTo),
  };
}

/** Adds members that a response may lack. The example does not have them. */
export const withOptional = <Value extends object, More extends object>(
  of: ObjectSchema<Value>,
  members: { [Name in keyof More]: Schema<More[Name]> },
): ObjectSchema<Value & Partial<More>> => {
  const rows = Object.entries<Schema<unknown>>(members).map(([name, { object }]) => [name, object]);
  const properties = { ...of.properties, ...(Object.fromEntries(rows) as typeof of.properties) };
  return { ...of, properties, required: Object.keys(of.properties) };
};

/** A member that is another object. */
export const reference = <Value extends object>(of: ObjectSchema<Value>): Schema<Value> => ({
  object: { $ref: `#/components/schemas/${of.name}` },
  refersTo: [of],
});

/** A list of objects. */
export const listOf = <Value extends object>(
  of: ObjectSchema<Value>,
  options: { minItems?: number; maxItems: number; description: string },
): Schema<Value[]> => {
  const { description, ...bounds } = options;
  const { object: items, refersTo = [] } = reference(of);
  return { object: { type: 'array', ...bounds, items, description }, refersTo };
};

/** A value that can also be null. */
export const orNull = <Value>({ object }: Schema<Value>): Schema<Value | null> => ({
  object: { ...object, type: [object['type'], 'null'] },
});

/** A text. @param rules further members of the schema object, such as `pattern` */
export const text = (description: string, rules: SchemaObject = {}): Schema<string> => ({
  object: { type: 'string', ...rules, description },
});

/** A number that is not rounded to a whole one. */
export const decimal = (description: string, range: SchemaObject): Schema<number> => ({
  object: { type: 'number', format: 'double', ...range, description },
});

/** A whole number. */
export const integer = (description: string, range: SchemaObject): Schema<number> => ({
  object: { type: 'integer', format: 'int32', ...range, description },
});

export const LATITUDE = { minimum: -90, maximum: 90 };
export const LONGITUDE = { minimum: -180, maximum: 180 };
