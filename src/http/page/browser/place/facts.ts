/** The facts about the present weather. What is null is left out. */
import type { Conditions } from '../service/weather-api.js';
import type { Units } from '../view/units.js';

export interface Fact {
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

export function factsOf(conditions: Conditions, units: Units): Fact[] {
  const { wind_speed: speed, wind_direction: direction } = conditions;
  const wind = fact('Wind', speed, units.speed).map((each) =>
    direction === null || speed === 0
      ? each
      : { ...each, detail: `from ${directionOf(direction)}` },
  );
  return [
    ...wind,
    ...fact('Gusts', conditions.wind_gusts, units.speed),
    ...fact(
      'Precipitation',
      conditions.precipitation,
      (mm) => `${units.amount(mm)} ${units.amountUnit}/h`,
    ),
    ...fact('Humidity', conditions.humidity, percent),
    ...fact('Dew point', conditions.dew_point, units.temperature),
    ...fact('Pressure', conditions.pressure, units.pressure),
    ...fact('Cloud cover', conditions.cloud_cover, percent),
    ...fact('Visibility', conditions.visibility, units.distance),
    ...fact('UV index', conditions.uv_index, number),
  ];
}
