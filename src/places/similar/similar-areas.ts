import { createEditDistance } from '../../text/edit-distance.js';
import { ASCII } from '../../text/typography.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { areaOfRegion, countryIndex, isPartOfCity, populationOf } from '../data/place-record.js';
import { inRegion } from '../find/exact-match.js';
import type { Countries } from '../names/countries.js';
import { fold } from '../names/fold.js';
import type { UnambiguousName } from '../names/unambiguous-name.js';
import type { Suggestion } from '../suggest/suggest.js';
import { allowedEdits, canBeSimilar, MAX_LENGTH, signature, unitsOf } from './similar-names.js';

export type SimilarAreas = ReturnType<typeof createSimilarAreas>;

/** Creates the search for countries and regions that a user may mean with a text that names no place. */
export function createSimilarAreas(
  data: GazetteerData,
  countries: Countries,
  unambiguousName: UnambiguousName,
) {
  const distance = createEditDistance();
  const names = [...data.countries.map(({ name }) => name), ...data.regions];
  /** Signatures of the folded names, which exclude nearly all. Computed on first use, because few requests need them. */
  let signatures: Uint32Array | undefined;

  return {
    /** Returns the largest towns of the first area that has any. */
    townsIn: towns,
    /** Returns the largest towns of the country or region that the text names. @param within the area that must contain it */
    townsOf: (text: string, limit: number, within?: AreaRecord): Suggestion[] =>
      towns(countries.areas(text), limit, within),
    /** Likewise, but the text may also be similar to the English name of the country or region. */
    townsOfSimilar(text: string, limit: number, within?: AreaRecord): Suggestion[] {
      const areas = similar(text).map(({ area }) => area);
      return towns([...countries.areas(text), ...areas], limit, within);
    },
    /** Returns the English names of the countries that are similar to a text, the most similar first. */
    countries: (text: string): string[] =>
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
      const { first = 0, end = 0 } = data.countries[countryIndex(data, code)] ?? {};
      for (let place = first; place < end; place++) {
        if (region !== undefined && !inRegion(data, place, region)) continue;
        if (!isPartOfCity(data, place)) yield place;
      }
    }
  }

  /** Returns the areas with English names that are similar to a text, the most similar first, then that with the larger city. */
  function similar(text: string): { name: string; area: AreaRecord }[] {
    const folded = fold(text);
    if (!ASCII.test(folded) || folded.length > MAX_LENGTH) return [];
    const letters = unitsOf(folded);
    const wanted = signatureOf(folded);
    const allowed = allowedEdits(letters.length);
    signatures ??= Uint32Array.from(names, (name) => signatureOf(fold(name)));
    const found: { name: string; area: AreaRecord; edits: number; people: number }[] = [];
    for (const [i, name] of names.entries()) {
      if (!canBeSimilar(signatures[i] ?? 0, wanted, allowed)) continue;
      const edits = distance(letters, unitsOf(fold(name)), allowed);
      if (edits > allowed) continue;
      const code = data.countries[i]?.code;
      const region = i - data.countries.length + 1;
      const area = code === undefined ? areaOfRegion(data, region) : { codes: [code] };
      const [largest = -1] = placesIn(area);
      found.push({ name, area, edits, people: populationOf(data, largest) });
    }
    return found.sort((a, b) => a.edits - b.edits || b.people - a.people);
  }
}

function signatureOf(folded: string): number {
  return signature(unitsOf(folded), folded.length);
}
