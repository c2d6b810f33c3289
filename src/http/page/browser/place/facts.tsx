import type { Conditions } from '../state/api.js';
import { Details, known } from './details.js';
import { percent, whole, type Formats } from './formats.js';

const DIRECTIONS = [
  ...['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'],
];

/** The details of the current weather, without what contradicts another fact. */
export function Facts({ conditions, formats }: { conditions: Conditions; formats: Formats }) {
  const { wind_speed: speed, wind_direction: direction, wind_gusts: gusts } = conditions;
  const { precipitation, weather_code: code } = conditions;
  const isCalm = direction === null || speed === 0;
  const isDryRain = precipitation === 0 && code !== null && code > 50;
  const wind = (
    <>
      {formats.speed(speed)}
      {!isCalm && <WindDirection from={direction} />}
    </>
  );
  const amountText = (mm: number) => `${formats.amount(mm)} ${formats.amountUnit}/h`;
  return (
    <section class="facts" aria-labelledby="facts-title">
      <h2 id="facts-title">Details</h2>
      <Details
        details={[
          ['Wind', wind],
          ['Gusts', gusts !== null && gusts > speed ? formats.speed(gusts) : null],
          ['Precipitation', isDryRain ? null : known(precipitation, amountText)],
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

/** The name of a direction, and an arrow that points where the wind blows. @param from degrees that it comes from */
function WindDirection({ from }: { from: number }) {
  return (
    <span>
      <b aria-hidden="true" style={{ rotate: `${from + 180}deg` }}>
        ↑
      </b>{' '}
      from {DIRECTIONS[Math.round(from / 45) % 8]}
    </span>
  );
}
