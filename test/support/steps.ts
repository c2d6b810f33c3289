import { CURRENT_QUANTITIES } from '../../src/weather/kinds/current-weather.js';
import type { ValuesByAbility } from '../../src/weather/kinds/kinds.js';
import type { Series } from '../../src/weather/kinds/series.js';
import { conditionOf } from '../../src/weather/conditions/conditions.js';
import { quantitiesOf, type Quantities } from '../../src/weather/kinds/values.js';
import { without } from './without.js';

export type CurrentWeather = ValuesByAbility['current'];

/** A day or an hour with its condition in words. */
export type StepWithWords<Step> = Omit<Step, 'weather_code'> & { condition: string };

/** Puts the condition in words in place of the weather code. */
export function withWords<Step extends { weather_code?: number | null }>(
  step: Step,
): StepWithWords<Step> {
  const { weather_code, ...others } = step;
  if (weather_code === undefined) return others as StepWithWords<Step>;
  return { ...others, condition: conditionOf(weather_code) };
}

/** The days or hours of a forecast as objects. */
export function stepsIn<Step extends { weather_code?: number | null }>(
  series: Series<Step>,
): StepWithWords<Step>[] {
  const lists = without({ ...series }, 'timezone') as Record<string, unknown[]>;
  const count = Object.values(lists)[0]!.length;
  return Array.from({ length: count }, (_, index) =>
    withWords(
      Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list[index]])) as Step,
    ),
  );
}

/** Null for each quantity of a kind. */
export const nullsOf = (quantities: Quantities): Record<string, number | null> =>
  Object.fromEntries(quantitiesOf(quantities).map((name) => [name, null]));

/** Current weather with every member. Without `more`, optional values are null. */
export function currentWeather(more: Partial<CurrentWeather> = {}): CurrentWeather {
  return {
    ...(nullsOf(CURRENT_QUANTITIES) as Record<(typeof CURRENT_QUANTITIES.optional)[number], null>),
    ...{ time: Date.UTC(2026, 10, 24, 7), weather_code: 45, station: null },
    ...{ temperature: 1, humidity: 50, wind_speed: 2, ...more },
  };
}
