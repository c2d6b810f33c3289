import type { Conditions } from '../state/api.js';
import { detail, Details, type Detail } from './details.js';
import { percent, whole, type Formats } from './formats.js';

const DIRECTIONS = [
  ...['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'],
];

/** The details of the present weather. */
export function Facts({ conditions, formats }: { conditions: Conditions; formats: Formats }) {
  return (
    <section class="facts" aria-labelledby="facts-title">
      <h2 id="facts-title">Details</h2>
      <Details details={factsOf(conditions, formats)} />
    </section>
  );
}

/** Returns the facts about the present weather. What is null is left out, and so is what contradicts another fact. */
function factsOf(conditions: Conditions, formats: Formats): Detail[] {
  const { wind_speed: speed, wind_direction: direction, wind_gusts: gusts } = conditions;
  const { precipitation, weather_code: code } = conditions;
  const isCalm = direction === null || speed === 0;
  const isDryRain = precipitation === 0 && code !== null && code > 50;
  const { amount, amountUnit } = formats;
  return [
    [
      'Wind',
      <>
        {formats.speed(speed)}
        {!isCalm && <WindDirection from={direction} />}
      </>,
    ],
    ...detail('Gusts', gusts !== null && gusts > speed ? gusts : null, formats.speed),
    ...detail(
      'Precipitation',
      isDryRain ? null : precipitation,
      (mm) => `${amount(mm)} ${amountUnit}/h`,
    ),
    ...detail('Humidity', conditions.humidity, percent),
    ...detail('Dew point', conditions.dew_point, formats.temperature),
    ...detail('Pressure', conditions.pressure, formats.pressure),
    ...detail('Cloud cover', conditions.cloud_cover, percent),
    ...detail('Visibility', conditions.visibility, formats.distance),
    ...detail('UV index', conditions.uv_index, whole),
  ];
}

/** The name of a direction, and an arrow that points where the wind blows. @param from degrees that it comes from */
function WindDirection({ from }: { from: number }) {
  return (
    <span>
      <svg class="arrow" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M8 14V3M4 7l4-4 4 4" transform={`rotate(${(from + 180) % 360} 8 8)`} />
      </svg>{' '}
      from {DIRECTIONS[Math.round(from / 45) % 8]}
    </span>
  );
}
