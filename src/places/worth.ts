import type { NameList } from './name-list.js';

/**
 * How much a name of the list counts for its place: by its population, in full for its main names, an
 * eighth of it for names in other languages. That is the rule of lookups too (see `tools/gazetteer/namesakes.ts`):
 * "munch" is Munich before Münchberg.
 */
const WEIGHTS = [64, 64, 8, 1];

/** The worth of each name of the list, the larger the better. The build and suggestions use the same. */
export function createWorth(names: NameList, population: Uint32Array): (name: number) => number {
  return (name) => {
    const kind = names.kind(name);
    // Of names of equal worth, mostly without population, the main ones come first.
    return (population[names.place(name)] ?? 0) * (WEIGHTS[kind] ?? 0) - kind;
  };
}
