import { Rank } from './city-names.js';
import { isSuburb } from './suburbs.js';
import type { SourcePlace } from './source-places.js';

/** One of the places that have a certain name. */
export interface Namesake {
  /** Index of the place. Places are sorted by population in descending order. */
  value: number;
  /** The `Rank` of the name. */
  rank: number;
}

/** The assumed population of a place whose population is unknown. */
const VILLAGE = 1000;
/** Below this population, the number of names of a place says more about it than its population. */
const TOWN_POPULATION = 15_000;
/**
 * A part of a city's name comes before main names if the city has this many times the population of
 * each place with the main name: Querétaro is Santiago de Querétaro (500,000 people), no village. A
 * suburb is famous if it has this many times the population and fame of the other places.
 */
const FACTOR = 10;
/** A city of this size comes first by a former or foreign name if others' population is unknown. */
const CITY_POPULATION = 50_000;
/** A former name comes before a part of a name if its city is this many times as large. */
const FACTOR_OF_NEAR = 8;
/** Exponent of towns' fame: Pasadena is in California, although Texas has a slightly larger one. */
const FAME_OF_TOWNS = 1 / 6;

/**
 * Sorts the places of one name, the most likely first: main names, then parts of names, then other
 * names; within each, towns by population, villages by population and fame. A much larger city
 * comes first by a name of lower rank.
 */
export function orderNamesakes(list: Namesake[], places: SourcePlace[]): void {
  if (list.length <= 1) return;
  const rows = list.map((each) => {
    const place = places[each.value];
    // Users name the metropolis of a suburb, so other towns come first. Beverly Hills is famous.
    const part = Number(isSuburb(place, places));
    return { each, rank: each.rank, part, own: prominenceOf(place) };
  });
  const known = Math.max(...rows.map(({ part, own }) => (part ? 0 : own.weight)));
  for (const row of rows) if (row.own.weight >= FACTOR * known) row.part = 0;
  const largest = (rank: number): Prominence =>
    rows.reduce(
      (most, row) => (row.rank === rank && compare(row.own, most) < 0 ? row.own : most),
      NOTHING,
    );
  const main = largest(Rank.primary);
  const near = largest(Rank.near);
  const effective = (rank: number, own: Prominence): number => {
    if (rank === Rank.near && main !== NOTHING && exceeds(own, main)) return Rank.primary - 2;
    if (rank !== Rank.alternate || own.people < CITY_POPULATION) return rank;
    if (main.people <= VILLAGE && near.people <= VILLAGE) return Rank.primary - 1;
    return near !== NOTHING && own.people >= FACTOR_OF_NEAR * near.people ? Rank.near : rank;
  };
  for (const row of rows) row.rank = effective(row.rank, row.own);
  rows.sort(
    (a, b) =>
      a.rank - b.rank || a.part - b.part || compare(a.own, b.own) || a.each.value - b.each.value,
  );
  for (const [i, { each }] of rows.entries()) list[i] = each;
}

/** How likely users mean a place. */
interface Prominence {
  people: number;
  /** Population times fame. */
  weight: number;
}

const NOTHING: Prominence = { people: 0, weight: 0 };

function prominenceOf(place: SourcePlace | undefined): Prominence {
  if (!place) return NOTHING;
  const people = Math.max(place.population, VILLAGE);
  return { people, weight: people * Math.max(place.fame, 1) };
}

/** Sorts towns by population and slightly by fame, then villages by population times fame. */
function compare(a: Prominence, b: Prominence): number {
  const areTowns = Number(b.people >= TOWN_POPULATION) - Number(a.people >= TOWN_POPULATION);
  if (areTowns !== 0) return areTowns;
  if (a.people < TOWN_POPULATION) return b.weight - a.weight;
  return asTown(b) - asTown(a);
}

function asTown({ people, weight }: Prominence): number {
  return people === 0 ? 0 : people * (weight / people) ** FAME_OF_TOWNS;
}

/** Returns whether users mean a city much more likely than the places with the main name. */
function exceeds(city: Prominence, main: Prominence): boolean {
  if (main.people >= TOWN_POPULATION) return city.people >= FACTOR * main.people;
  return city.people > main.people && city.weight >= FACTOR * main.weight;
}
