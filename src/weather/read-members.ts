import { isObject } from '../base/is-object.js';
import { isPlausible, isPlausibleOrAbsent, type Quantity } from './plausible.js';

/** A check of each member of a stored object, also of the optional ones. */
export type MemberChecks<T> = { readonly [Name in keyof T]-?: (value: unknown) => boolean };

/**
 * Reads an object from untrusted data. Returns a copy with the known members only, or undefined if a member fails its
 * check.
 */
export function readMembers<T extends object>(
  input: unknown,
  checks: MemberChecks<T>,
): T | undefined {
  if (!isObject(input)) return undefined;
  const known: Record<string, unknown> = {};
  for (const name in checks) {
    const value = input[name];
    if (!checks[name](value)) return undefined;
    if (value !== undefined) known[name] = value;
  }
  return known as T;
}

/** A check of an optional member. */
export const optional =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || check(value);

/** A check of a member that is null if it is unknown. */
export const nullable =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || check(value);

/** A check of a value of a quantity. */
export const quantity =
  (name: Quantity) =>
  (value: unknown): boolean =>
    isPlausible(name, value);

/** A check of a value of a quantity that is null or absent if it is unknown. */
export const maybeQuantity =
  (name: Quantity) =>
  (value: unknown): boolean =>
    isPlausibleOrAbsent(name, value);
