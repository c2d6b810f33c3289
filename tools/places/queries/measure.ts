import type { Gazetteer } from '../../../src/weather/types.js';
import { distancesFrom } from '../../../src/weather/distance.js';
import type { Query, readMisspelled, readWanted } from './lists.js';

/** The number of correct results of a list, and a description of each wrong one. */
export interface Accuracy {
  what: string;
  right: number;
  /** The number of queries. */
  total: number;
  wrong: string[];
}

/** Returns the percentage of correct results. */
export function percent({ right, total }: Accuracy): number {
  return (100 * right) / total;
}

/** Counts the queries that find a place within a distance of the correct one. */
export function measureQueries(
  what: string,
  queries: Query[],
  gazetteer: Gazetteer,
  withinKm = 25,
): Accuracy {
  const wrong = queries.flatMap(({ city, country, latitude, longitude }) => {
    const match = gazetteer.findCity(city, country);
    const query = `${city} | ${country}`;
    if (match.kind !== 'found') return [`${query}: ${match.kind}`];
    const { place } = match;
    const km = distancesFrom(place)({ latitude, longitude });
    return km <= withinKm ? [] : [`${query}: ${place.city}, ${Math.round(km)} km off`];
  });
  return accuracy(what, queries.length, wrong);
}

/** Counts the places in the first five suggestions, of all countries, after a number of letters. */
export function measureWanted(
  what: string,
  wanted: ReturnType<typeof readWanted>,
  gazetteer: Gazetteer,
  letters: number,
): Accuracy {
  const wrong = wanted.flatMap(({ city, countryCode, typed }) => {
    const text = Array.from(typed).slice(0, letters).join('');
    const places = gazetteer.suggest(text, 5) ?? [];
    const isWanted = (place: (typeof places)[number]): boolean =>
      place.countryCode === countryCode && place.city.split(', ')[0] === city;
    if (places.some(isWanted)) return [];
    const shown = places.map((place) => `${place.city} ${place.countryCode}`).join('; ');
    return [`${text} for ${city}, ${countryCode}: ${shown}`];
  });
  return accuracy(what, wanted.length, wrong);
}

/** Counts misspelled names with the correct suggestion, and those that find no other place. */
export function measureMisspelled(
  what: string,
  misspelled: ReturnType<typeof readMisspelled>,
  gazetteer: Gazetteer,
): { hinted: Accuracy; silently: Accuracy } {
  const unhinted: string[] = [];
  const others: string[] = [];
  for (const { city, country, meant } of misspelled) {
    const placeOf = (name: string): string | undefined => {
      const match = gazetteer.findCity(name, country);
      return match.kind === 'found' ? JSON.stringify(match.place) : undefined;
    };
    const right = placeOf(meant);
    if (right === undefined) throw new Error(`${meant}, ${country} is not in the gazetteer`);
    const match = gazetteer.findCity(city, country);
    if (match.kind === 'found') {
      if (placeOf(city) !== right) others.push(`${city} | ${country}: ${match.place.city}`);
      continue;
    }
    const hints = match.kind === 'unknown_city' ? match.suggestions : [];
    if (!hints.some((name) => placeOf(name) === right)) {
      unhinted.push(`${city} | ${country}: ${hints.join('; ')}`);
    }
  }
  return {
    hinted: accuracy(what, misspelled.length, [...unhinted, ...others]),
    silently: accuracy('misspelled names: not another place', misspelled.length, others),
  };
}

function accuracy(what: string, total: number, wrong: string[]): Accuracy {
  return { what, right: total - wrong.length, total, wrong };
}
