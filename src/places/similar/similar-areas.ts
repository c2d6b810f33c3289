import { createEditDistance } from '../../text/edit-distance.js';
import { ASCII } from '../../text/typography.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { areaOfRegion, placesIn, populationOf } from '../data/place-record.js';
import { fold } from '../names/fold.js';
import { allowedEdits, MAX_LENGTH, unitsOf } from './similar-names.js';

/** An area with one of its names. */
interface NamedArea {
  name: string;
  area: AreaRecord;
}

/** Creates the search for countries and regions that a user may mean with a text that names no place. */
export function createSimilarAreas(data: GazetteerData) {
  const distance = createEditDistance();
  /** Made on first use, because few requests need them. */
  let known: (NamedArea & { letters: Uint16Array })[] | undefined;

  function readNames() {
    const countries = data.countries.flatMap(({ code, name, otherNames }) => {
      const area = { codes: [code] };
      return [name, ...otherNames].map((each) => ({ name: each, area }));
    });
    const regions = data.regions.map((name, i) => ({ name, area: areaOfRegion(data, i + 1) }));
    return [...countries, ...regions].map((each) => ({
      ...each,
      letters: unitsOf(fold(each.name)),
    }));
  }

  /** Returns the areas with similar names, the most similar first, then the one with the largest city. */
  return (text: string): NamedArea[] => {
    const folded = fold(text);
    const typed = unitsOf(folded);
    if (!ASCII.test(folded) || typed.length > MAX_LENGTH) return [];
    const allowed = allowedEdits(typed.length);
    const found = new Map<AreaRecord, NamedArea & { edits: number; people: number }>();
    for (const { name, area, letters } of (known ??= readNames())) {
      // Errors in the first letter are rare: "near me" is not Tearce.
      if (letters[0] !== typed[0] && letters[1] !== typed[0]) continue;
      const edits = distance(typed, letters, allowed);
      if (edits > allowed || edits >= (found.get(area)?.edits ?? Infinity)) continue;
      const [largest = -1] = placesIn(data, area);
      found.set(area, { name, area, edits, people: populationOf(data, largest) });
    }
    return [...found.values()].sort((a, b) => a.edits - b.edits || b.people - a.people);
  };
}
