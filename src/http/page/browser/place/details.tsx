import type { ComponentChildren } from 'preact';
import type { ConditionsBody } from '../state/api.js';
import { percent, whole, type Formats } from './formats.js';

/** A name with its value; null if there is none. */
type Detail = [name: string, value: ComponentChildren];

/** Formats a value, unless it is null. */
export const formatIfKnown = <Value,>(value: Value | null, format: (value: Value) => string) =>
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

const DIRECTIONS = [
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
];

/** The details of the current weather, without what contradicts another fact. */
export function Facts({ conditions, formats }: { conditions: ConditionsBody; formats: Formats }) {
  const { wind_speed: speed, wind_direction: direction, wind_gusts: gusts } = conditions;
  const { weather_code: code } = conditions;
  const isCalm = direction === null || speed === 0;
  const isDryRain = conditions.precipitation === 0 && code !== null && code > 50;
  const precipitation = isDryRain ? null : conditions.precipitation;
  const from = isCalm ? '' : ` from ${DIRECTIONS[Math.round(direction / 45) % 8] ?? ''}`;
  return (
    <section class="facts" aria-labelledby="facts-title">
      <h2 id="facts-title">Details</h2>
      <Details
        details={[
          ['Wind', formats.speed(speed) + from],
          ['Gusts', gusts !== null && gusts > speed ? formats.speed(gusts) : null],
          ['Precipitation', formatIfKnown(precipitation, (mm) => `${formats.amount(mm)}/h`)],
          ['Humidity', formatIfKnown(conditions.humidity, percent)],
          ['Dew point', formatIfKnown(conditions.dew_point, formats.temperature)],
          ['Pressure', formatIfKnown(conditions.pressure, formats.pressure)],
          ['Cloud cover', formatIfKnown(conditions.cloud_cover, percent)],
          ['Visibility', formatIfKnown(conditions.visibility, formats.distance)],
          ['UV index', formatIfKnown(conditions.uv_index, whole)],
        ]}
      />
    </section>
  );
}
