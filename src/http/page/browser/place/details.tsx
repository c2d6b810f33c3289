import type { ComponentChildren } from 'preact';

/** A name with its value; null if there is none. */
export type Detail = [name: string, value: ComponentChildren];

/** Formats a value, unless it is null. */
export const known = <Value,>(value: Value | null, format: (value: Value) => string) =>
  value === null ? null : format(value);

/** A list of names with their values, without those whose value is null. */
export function Details({ details }: { details: Detail[] }) {
  return (
    <dl>
      {details.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
