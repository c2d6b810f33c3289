import { InvalidInputError } from '../../base/errors.js';
import type { Input } from './validate.js';

/** A parameter of a query, or argument of a tool. Parser, error, and description follow from it. */
export interface ParameterRule<Value> {
  /** @throws InvalidInputError */
  read(input: Input): Value;
  /** The parameter in OpenAPI 2.0, without what all of them have in common. */
  description: {
    name: string;
    description: string;
    type: 'integer' | 'string';
    format?: string;
    minimum?: number;
    maximum?: number;
    default: number | string;
  };
}

export type ParameterRules = Record<string, ParameterRule<unknown>>;

/** The values of the parameters of an endpoint. */
export type OptionsOf<Rules extends ParameterRules> = {
  [Name in keyof Rules]: Rules[Name] extends ParameterRule<infer Value> ? Value : never;
};

/** A whole number as a program writes it: no sign, no leading zeros, no spaces, no exponent. */
const WHOLE = /^(?:0|[1-9]\d{0,8})$/;

/** Defines a parameter that is a whole number. */
export function wholeNumber(
  name: string,
  options: { min: number; max: number; default: number; description: string },
): ParameterRule<number> {
  const { min, max, description } = options;
  return {
    read({ [name]: value = String(options.default) }) {
      const isWhole = typeof value === 'string' ? WHOLE.test(value) : Number.isInteger(value);
      if (isWhole && Number(value) >= min && Number(value) <= max) return Number(value);
      const message = `${name} must be a whole number from ${min} to ${max}`;
      throw new InvalidInputError(`Invalid ${name}`, message);
    },
    description: {
      name,
      description,
      type: 'integer',
      format: 'int32',
      minimum: min,
      maximum: max,
      default: options.default,
    },
  };
}

/** Reads the parameters of an endpoint. @throws InvalidInputError */
export function readOptions<Rules extends ParameterRules>(
  rules: Rules,
  input: Input,
): OptionsOf<Rules> {
  const options: Record<string, unknown> = {};
  for (const name in rules) options[name] = rules[name]?.read(input);
  return options as OptionsOf<Rules>;
}

/** Maximum length of names of a client in a response, which must not get too large for a proxy. */
const MAX_NAMES_LENGTH = 200;

/** Returns the names that an endpoint does not know of a request, such as `units`. */
export function unknownNames(input: Input, knownNames: readonly string[]): string[] {
  return Object.keys(input).filter((name) => !knownNames.includes(name));
}

/** Joins names for a header. A name can contain any character, so each is encoded as in a query. */
export function joinNames(names: string[]): string {
  let text = '';
  for (const name of names) {
    const encoded = new URLSearchParams({ [name]: '' }).toString().slice(0, -1);
    const longer = text === '' ? encoded : `${text}, ${encoded}`;
    if (longer.length <= MAX_NAMES_LENGTH) text = longer;
  }
  return text;
}
