import type { Fields } from './types.js';
import { QUANTITIES, rowOf, type Quantity } from '../../src/weather/kinds/quantities.js';

/**
 * Names the unit of each quantity in a schema, in one sentence: "Units: temperature, dew_point: °C; humidity: %."
 * @param schema an object; its members can be objects or lists of objects
 */
export function unitsOf(schema: Fields): string {
  const names = new Map<string, string[]>();
  for (const name of namesIn(schema)) {
    if (!(name in QUANTITIES)) continue;
    const { unit } = rowOf(name as Quantity);
    if (unit !== '') names.set(unit, [...(names.get(unit) ?? []), name]);
  }
  const units = [...names].map(([unit, quantities]) => `${quantities.join(', ')}: ${unit}`);
  return `Units: ${units.join('; ')}.`;
}

/** Returns the names of all members of a schema. */
function namesIn({ properties = {}, items = {} }: Fields): string[] {
  const inside = Object.entries(properties as Fields);
  const nested = [...inside.map(([, schema]) => schema as Fields), items as Fields];
  return [...inside.map(([name]) => name), ...nested.filter(hasMembers).flatMap(namesIn)];
}

const hasMembers = (schema: Fields): boolean => 'properties' in schema || 'items' in schema;
