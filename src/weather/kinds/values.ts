import { isObject } from '../../base/is-object.js';
import { isWeatherCode } from '../conditions/conditions.js';
import { inTableOrder, isPlausible, roundedPlausibleValue, type Quantity } from './quantities.js';
import type { Maybe } from '../types.js';

export interface Quantities {
  /** Without one of these, there is no value. */
  required: readonly Quantity[];
  /** Without one of these, a date is left out, unless the provider has only a part of the date. */
  requiredOfWhole?: readonly Quantity[];
  /** Null if the provider does not have it. */
  optional: readonly Quantity[];
  /** Further sentences of the descriptions for this kind. */
  notes?: Partial<Record<Quantity, string>>;
  /** Whether its values have a `weather_code`, without which there is no value. */
  hasCode?: true;
}

interface Code {
  weather_code: number | null;
}

/** Values at a time or on a date, in contract units. The code is null for an unknown condition. */
export type Values<Q extends Quantities> = Record<Q['required'][number], number> &
  Record<Q['optional'][number], number | null> &
  (Q extends { hasCode: true } ? Code : unknown);

/**
 * Values of a provider in the contract's names and units, not rounded. Missing ones are absent or
 * null. `weather_code` is a WMO code. A number that is no known code is the condition `Unknown`.
 */
export type RawValues = Partial<Record<Quantity | 'weather_code', Maybe<number>>> & {
  /** Whether the values are for a part of a date only. */
  isPartial?: boolean;
};

/** Lists the quantities of a kind, in the order in which responses have them. */
export const quantitiesOf = ({ required, optional }: Quantities): Quantity[] =>
  inTableOrder([...required, ...optional]);

/**
 * Rounds and checks what a provider reports. An implausible or contradictory value becomes null.
 * @returns what is missing or implausible: the name of a required value, or every value
 */
export function clean<Q extends Quantities>(
  quantities: Q,
  raw: RawValues,
): { values: Values<Q> } | { missing: string } {
  const values: Partial<Record<Quantity, number | null>> = {};
  for (const name of quantitiesOf(quantities))
    values[name] = roundedPlausibleValue(name, raw[name]);
  const { required, requiredOfWhole = [] } = quantities;
  const needed = raw.isPartial ? required : [...required, ...requiredOfWhole];
  const missing = needed.find((name) => values[name] === null);
  if (missing) return { missing };
  if (Object.values(values).every((value) => value === null)) return { missing: 'value' };
  removeContradictions(values);
  if (!quantities.hasCode) return { values: values as Values<Q> };
  const { weather_code: code } = raw;
  if (code == null) return { missing: 'condition' };
  return { values: { weather_code: isWeatherCode(code) ? code : null, ...values } as Values<Q> };
}

/** Swaps min > max (a night warmer than its day). Removes gusts < wind, and direction at 0 km/h. */
function removeContradictions(values: Partial<Record<Quantity, number | null>>): void {
  const { temperature_min: min, temperature_max: max } = values;
  if (min != null && max != null && min > max) {
    Object.assign(values, { temperature_min: max, temperature_max: min });
  }
  const isBelow = (gusts: Maybe<number>, speed: Maybe<number>) =>
    gusts != null && speed != null && gusts < speed;
  if (isBelow(values.wind_gusts, values.wind_speed)) values.wind_gusts = null;
  if (isBelow(values.wind_gusts_max, values.wind_speed_max)) values.wind_gusts_max = null;
  if (values.wind_speed === 0 && values.wind_direction != null) values.wind_direction = null;
}

/** A check of each member of a stored object. It gets null for a member that is absent. */
export type Checks<T> = { readonly [Name in keyof T]: (value: unknown) => boolean };

/** A check of a value that may be null. */
export const nullable =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || check(value);

/** The checks of the stored values of a kind, in the order in which responses have them. */
export function checksOf<Q extends Quantities>(kind: Q): Checks<Values<Q>> {
  const isValueOf = (name: Quantity) => {
    const check = (value: unknown) => isPlausible(name, value);
    return kind.required.includes(name) ? check : nullable(check);
  };
  const checks = quantitiesOf(kind).map((name) => [name, isValueOf(name)]);
  const code = kind.hasCode && { weather_code: isWeatherCode };
  return { ...code, ...Object.fromEntries(checks) } as Checks<Values<Q>>;
}

/** Copies the known members of untrusted data, absent ones as null; undefined if a check fails. */
export function readMembers<T extends object>(input: unknown, checks: Checks<T>): T | undefined {
  if (!isObject(input)) return undefined;
  const known: Record<string, unknown> = {};
  for (const name in checks) {
    const value = input[name] ?? null;
    if (!checks[name](value)) return undefined;
    known[name] = value;
  }
  return known as T;
}
