import { Rank } from './city-names.js';
import { isSuburb } from './suburbs.js';
import type { SourcePlace } from './source-places.js';

/** A place that has a certain name, and the rank of that name. */
export interface Namesake {
  /** Index of the place; places are sorted most populous first. */
  value: number;
  /** One of `Rank`. */
  rank: number;
}

/** A place of unknown population is taken for a village. */
const VILLAGE = 1000;
/** Of places below it, population says less than how many languages have a name for them. */
const TOWN_POPULATION = 15_000;
/**
 * So many times the population of every place of that main name makes a city of a longer name meant: Querétaro is the
 * city of half a million, Santiago de Querétaro, and not a village of that name.
 */
const FACTOR = 10;
/** A former name, or one in another language, makes a city of so many people meant where nobody counted the others. */
const CITY_POPULATION = 50_000;
/** Among places that are all called otherwise today, a former name counts this much less than a part of the name. */
const FACTOR_OF_NEAR = 8;
/** How much fame counts among towns: Pasadena is rather California's than the slightly larger one in Texas. */
const FAME_OF_TOWNS = 1 / 6;

/**
 * Sorts the places of one name, the likeliest first: main names before parts of names, before other names; among
 * each by population, villages by population and fame. A far larger city comes first by a lesser name.
 */
export function orderNamesakes(list: Namesake[], places: SourcePlace[]): void {
  if (list.length <= 1) return;
  const rows = list.map((each) => {
    const place = places[each.value];
    // A suburb of a city of millions is a part of it: another town of its name is meant.
    const part = Number(isSuburb(place, places));
    return { each, rank: each.rank, part, own: prominenceOf(place) };
  });
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

/** How much a place is meant by a name. */
interface Prominence {
  people: number;
  /** Population times fame, of which villages have the whole. */
  weight: number;
}

const NOTHING: Prominence = { people: 0, weight: 0 };

function prominenceOf(place: SourcePlace | undefined): Prominence {
  if (!place) return NOTHING;
  const people = Math.max(place.population, VILLAGE);
  return { people, weight: people * Math.max(place.fame, 1) };
}

/** Towns by population and a little by fame, then villages by both. */
function compare(a: Prominence, b: Prominence): number {
  const areTowns = Number(b.people >= TOWN_POPULATION) - Number(a.people >= TOWN_POPULATION);
  if (areTowns !== 0) return areTowns;
  if (a.people < TOWN_POPULATION) return b.weight - a.weight;
  return asTown(b) - asTown(a);
}

function asTown({ people, weight }: Prominence): number {
  return people === 0 ? 0 : people * (weight / people) ** FAME_OF_TOWNS;
}

/** Whether a city is far more meant than the places of that main name. */
function exceeds(city: Prominence, main: Prominence): boolean {
  if (main.people >= TOWN_POPULATION) return city.people >= FACTOR * main.people;
  return city.people > main.people && city.weight >= FACTOR * main.weight;
}
