import type { ComponentChildren } from 'preact';

/** A name with its value. */
export type Detail = [name: string, value: ComponentChildren];

/** Returns a list with a detail; an empty one if the value is null. */
export function detail<Value>(
  name: string,
  value: Value | null,
  format: (value: Value) => ComponentChildren,
): Detail[] {
  return value === null ? [] : [[name, format(value)]];
}

/** A list of names with their values. */
export function Details({ details }: { details: Detail[] }) {
  return (
    <dl>
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
