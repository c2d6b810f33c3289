import { createEditDistance } from '../../text/edit-distance.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { isPartOfCity } from '../data/place-record.js';
import { inRegion } from '../find/exact-match.js';
import type { Countries } from '../names/countries.js';
import { fold } from '../names/fold.js';
import type { UnambiguousName } from '../names/unambiguous-name.js';
import type { Suggestion } from '../suggest/suggest.js';
import { allowedEdits, MAX_LENGTH, unitsOf } from './similar-names.js';

/** Countries and regions that a user may mean with a text that names no place. */
export interface SimilarAreas {
  /** Returns the largest towns of the country or region that the text names. @param within the area that must contain it */
  townsOf(text: string, limit: number, within?: AreaRecord): Suggestion[];
  /** Returns the largest towns of the country or region whose English name is most similar to the text. */
  townsOfSimilar(text: string, limit: number, within?: AreaRecord): Suggestion[];
  /** Returns the English names of the countries that are similar to a text, the most similar first. */
  countries(text: string): string[];
}

interface NamedArea {
  name: string;
  letters: Uint16Array;
  area: AreaRecord;
}

export function createSimilarAreas(
  data: GazetteerData,
  countries: Countries,
  unambiguousName: UnambiguousName,
): SimilarAreas {
  const distance = createEditDistance();
  // Computed on first use, because few requests need them.
  let known: NamedArea[] | undefined;

  return {
    townsOf: (text, limit, within) => towns(countries.areas(text), limit, within),
    townsOfSimilar: (text, limit, within) =>
      towns(
        similar(text).map(({ area }) => area),
        limit,
        within,
      ),
    countries: (text) =>
      similar(text)
        .filter(({ area }) => area.region === undefined)
        .map(({ name }) => name),
  };

  /** Returns the largest towns of the first area that has any. */
  function towns(areas: AreaRecord[], limit: number, within?: AreaRecord): Suggestion[] {
    for (const area of areas) {
      if (within && !within.codes.includes(area.codes[0] ?? '')) continue;
      const found: Suggestion[] = [];
      for (const place of placesIn(area)) {
        const city = unambiguousName(place);
        if (city !== undefined) found.push({ place, city });
        if (found.length === limit) break;
      }
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Yields the places of an area by country, the largest first. */
  function* placesIn({ codes, region }: AreaRecord): Generator<number> {
    for (const code of codes) {
      const { first = 0, end = 0 } = countries.byCode(code) ?? {};
      for (let place = first; place < end; place++) {
        if (region !== undefined && !inRegion(data, place, region)) continue;
        if (!isPartOfCity(data, place)) yield place;
      }
    }
  }

  /** Returns the areas that are similar to a text, the most similar first, countries before regions. */
  function similar(text: string): NamedArea[] {
    const letters = unitsOf(fold(text));
    if (letters.length > MAX_LENGTH) return [];
    const allowed = allowedEdits(letters.length);
    known ??= namedAreas();
    return known
      .map((area) => ({ area, edits: distance(letters, area.letters, allowed) }))
      .filter(({ edits }) => edits <= allowed)
      .sort((a, b) => a.edits - b.edits)
      .map(({ area }) => area);
  }

  function namedAreas(): NamedArea[] {
    const named = (name: string, area: AreaRecord): NamedArea => ({
      name,
      letters: unitsOf(fold(name)),
      area,
    });
    return [
      ...data.countries.map(({ name, code }) => named(name, { codes: [code] })),
      ...data.regions.map((name, i) => {
        const code = data.countries[data.regionCountry[i + 1] ?? -1]?.code ?? '';
        return named(name, { codes: [code], region: i + 1 });
      }),
    ];
  }
}
