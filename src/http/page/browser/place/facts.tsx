import type { Conditions } from '../state/api.js';
import type { Formats } from './formats.js';

interface Fact {
  name: string;
  value: string;
  /** A second, smaller text. */
  detail?: string;
}

const DIRECTIONS = [
  ...['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'],
];

/** Returns the name of the direction that the wind comes from. @param degrees clockwise from north */
export function directionOf(degrees: number): string {
  return DIRECTIONS[Math.round(degrees / 45) % 8] ?? '';
}

/** A fact without a value if the number is null. */
function fact(name: string, value: number | null, format: (value: number) => string): Fact[] {
  return value === null ? [] : [{ name, value: format(value) }];
}

const percent = (value: number) => `${Math.round(value)} %`;
const number = (value: number) => String(Math.round(value));

/** Returns the facts about the present weather. What is null is left out, and so is what contradicts another fact. */
export function factsOf(conditions: Conditions, formats: Formats): Fact[] {
  const { wind_speed: speed, wind_direction: direction, wind_gusts: gusts } = conditions;
  const { precipitation, weather_code: code } = conditions;
  const isCalm = direction === null || speed === 0;
  const wind = { name: 'Wind', value: formats.speed(speed) };
  const isDryRain = precipitation === 0 && code !== null && code > 50;
  return [
    isCalm ? wind : { ...wind, detail: `from ${directionOf(direction)}` },
    ...fact('Gusts', gusts !== null && gusts > speed ? gusts : null, formats.speed),
    ...fact(
      'Precipitation',
      isDryRain ? null : precipitation,
      (mm) => `${formats.amount(mm)} ${formats.amountUnit}/h`,
    ),
    ...fact('Humidity', conditions.humidity, percent),
    ...fact('Dew point', conditions.dew_point, formats.temperature),
    ...fact('Pressure', conditions.pressure, formats.pressure),
    ...fact('Cloud cover', conditions.cloud_cover, percent),
    ...fact('Visibility', conditions.visibility, formats.distance),
    ...fact('UV index', conditions.uv_index, number),
  ];
}

/** The details of the present weather. */
export function Facts({ conditions, formats }: { conditions: Conditions; formats: Formats }) {
  const { wind_direction: from } = conditions;
  return (
    <section class="facts" aria-labelledby="facts-title">
      <h2 id="facts-title">Details</h2>
      <dl>
        {factsOf(conditions, formats).map(({ name, value, detail }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value}
              {detail && from !== null && (
                <span>
                  <WindArrow from={from} /> {detail}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** An arrow in the direction in which the wind blows. @param from degrees that it comes from */
function WindArrow({ from }: { from: number }) {
  return (
    <svg class="arrow" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 14V3M4 7l4-4 4 4" transform={`rotate(${(from + 180) % 360} 8 8)`} />
    </svg>
  );
}
