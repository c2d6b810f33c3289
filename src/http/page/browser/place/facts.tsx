import type { Conditions } from '../state/api.js';
import { Details, known } from './details.js';
import { percent, whole, type Formats } from './formats.js';

const DIRECTIONS = [
  ...['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'],
];

/** The details of the current weather, without what contradicts another fact. */
export function Facts({ conditions, formats }: { conditions: Conditions; formats: Formats }) {
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
          ['Precipitation', known(precipitation, (mm) => `${formats.amount(mm)}/h`)],
          ['Humidity', known(conditions.humidity, percent)],
          ['Dew point', known(conditions.dew_point, formats.temperature)],
          ['Pressure', known(conditions.pressure, formats.pressure)],
          ['Cloud cover', known(conditions.cloud_cover, percent)],
          ['Visibility', known(conditions.visibility, formats.distance)],
          ['UV index', known(conditions.uv_index, whole)],
        ]}
      />
    </section>
  );
}
