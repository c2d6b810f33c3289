import { createEditDistance } from '../../text/edit-distance.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { areaOfRegion, countryIndex, isPartOfCity } from '../data/place-record.js';
import { inRegion } from '../find/exact-match.js';
import { fold } from '../names/fold.js';
import type { UnambiguousName } from '../names/unambiguous-name.js';
import type { Suggestion } from '../suggest/suggest.js';
import { allowedEdits, MAX_LENGTH, unitsOf } from './similar-names.js';

/** Countries and regions that a user may mean with a text that names no place. */
export type SimilarAreas = ReturnType<typeof createSimilarAreas>;

interface NamedArea {
  /** The English name. */
  name: string;
  area: AreaRecord;
}

export function createSimilarAreas(data: GazetteerData, unambiguousName: UnambiguousName) {
  const distance = createEditDistance();
  // Computed on first use, because few requests need them.
  let known: (NamedArea & { letters: Uint16Array })[] | undefined;

  return { towns, similar };

  /** Returns the largest towns of the first area that has any. @param within the area that must contain it */
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

  /** Returns the areas whose names are similar to a text, the most similar first, countries before regions. */
  function similar(text: string): NamedArea[] {
    const letters = unitsOf(fold(text));
    if (letters.length > MAX_LENGTH) return [];
    const allowed = allowedEdits(letters.length);
    known ??= namedAreas().map((area) => ({ ...area, letters: unitsOf(fold(area.name)) }));
    return known
      .map((area) => ({ ...area, edits: distance(letters, area.letters, allowed) }))
      .filter(({ edits }) => edits <= allowed)
      .sort((a, b) => a.edits - b.edits);
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

  function namedAreas(): NamedArea[] {
    return [
      ...data.countries.map(({ name, code }) => ({ name, area: { codes: [code] } })),
      ...data.regions.map((name, i) => ({ name, area: areaOfRegion(data, i + 1) })),
    ];
  }
}
