import { InvalidInputError } from '../base/errors.js';
import { queryOf, type Query, type Target } from './request-target.js';

/** The rule for a query parameter. Parser, error, and API description follow from it. */
export interface ParameterRule<Value> {
  /** @throws InvalidInputError */
  read(query: Query): Value;
  /** The parameter in OpenAPI 2.0. */
  description: ParameterDescription;
  /** The error that `read` throws; undefined if every value is valid. */
  fault?: FaultRow & { message: string };
}

/** A parameter object of OpenAPI 2.0. */
interface ParameterDescription {
  name: string;
  in: string;
  required: boolean;
  description: string;
  minimum?: number;
  maximum?: number;
  default?: number | string;
}

/** The title of an error, and when it is the response. */
export interface FaultRow {
  error: string;
  condition: string;
}

/** The rules for the parameters of an endpoint, by their names. */
export type ParameterRules = Record<string, ParameterRule<unknown>>;

/** The values of the parameters of an endpoint. */
export type OptionsOf<Rules extends ParameterRules> = {
  [Name in keyof Rules]: Rules[Name] extends ParameterRule<infer Value> ? Value : never;
};

/** A whole number as a program writes it: no sign, no leading zeros, no spaces, no exponent. */
const WHOLE = /^(?:0|[1-9]\d{0,8})$/;

/** A rule that rejects some values. */
type StrictRule<Value> = ParameterRule<Value> &
  Required<Pick<ParameterRule<Value>, 'fault'>>;

/** Defines a parameter that is a whole number. */
export function wholeNumber(
  name: string,
  about: { min: number; max: number; default: number; description: string },
): StrictRule<number> {
  const { min, max, description } = about;
  const condition = `no whole number from ${min} to ${max}`;
  const fault = {
    error: `Invalid ${name}`,
    message: `${name} must be a whole number from ${min} to ${max}`,
    condition,
  };
  return {
    read({ [name]: value = String(about.default) }) {
      const number = typeof value === 'string' && WHOLE.test(value) ? Number(value) : NaN;
      if (number >= min && number <= max) return number;
      throw new InvalidInputError(fault.error, fault.message);
    },
    description: {
      ...{ name, in: 'query', required: false, description },
      ...{ type: 'integer', format: 'int32', minimum: min, maximum: max },
      ...{ default: about.default, 'x-example': about.default },
    },
    fault,
  };
}

/** Reads the parameters of an endpoint. The query is not parsed if there are none. @throws InvalidInputError */
export function readOptions<Rules extends ParameterRules>(
  rules: Rules,
  target: Target,
): OptionsOf<Rules> {
  const options: Record<string, unknown> = {};
  for (const name in rules) options[name] = rules[name]?.read(queryOf(target));
  return options as OptionsOf<Rules>;
}
