import type { Gazetteer } from '../../../src/weather/types.js';
import type { NameCase, PointCase } from './cases.js';
import { distancesFrom } from '../../../src/places/distance.js';

/** The tolerance for the position of a city, whose center differs between sources. */
const TOLERANCE_KM = 50;

export interface Accuracy {
  what: string;
  right: number;
  total: number;
  wrong: string[];
}

/** Counts the names that find their city. */
export function measureNames(what: string, cases: NameCase[], gazetteer: Gazetteer): Accuracy {
  const wrong = cases.flatMap(({ city, country, at }) => {
    const match = gazetteer.findCity(city, country);
    if (match.kind !== 'found') return [`${city}, ${country}: ${match.kind}`];
    const { place } = match;
    if (!at) return [];
    const km = distancesFrom(at)(place.latitude, place.longitude);
    return km <= TOLERANCE_KM
      ? []
      : [`${city}, ${country}: ${place.city}, ${Math.round(km)} km off`];
  });
  return { what, right: cases.length - wrong.length, total: cases.length, wrong };
}

/** Counts the points with the correct country. @param codeOf the codes of countries by their display names */
export function measurePoints(
  what: string,
  cases: PointCase[],
  gazetteer: Gazetteer,
  codeOf: Map<string, string>,
): Accuracy {
  const wrong = cases.flatMap(({ latitude, longitude, iso2, city }) => {
    const place = gazetteer.nearest({ latitude, longitude });
    if (place && codeOf.get(place.country) === iso2) return [];
    return [`${city}, ${iso2}: ${place ? `${place.city}, ${place.country}` : 'nothing'}`];
  });
  return { what, right: cases.length - wrong.length, total: cases.length, wrong };
}

export function percent({ right, total }: Accuracy): number {
  return (100 * right) / total;
}
