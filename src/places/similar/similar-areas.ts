import { createEditDistance } from '../../text/edit-distance.js';
import { ASCII } from '../../text/typography.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { areaOfRegion, placesIn, populationOf } from '../data/place-record.js';
import { fold } from '../names/fold.js';
import { allowedEdits, canBeSimilar, MAX_LENGTH, signatureOf, unitsOf } from './similar-names.js';

/** An area with one of its names. */
interface NamedArea {
  name: string;
  area: AreaRecord;
}

/** Creates the search for countries and regions that a user may mean if a text names no place. */
export function createSimilarAreas(data: GazetteerData) {
  const distance = createEditDistance();
  /** Made on first use, because few requests need them. The signatures exclude nearly all names. */
  let known: { names: NamedArea[]; signatures: Uint32Array } | undefined;

  function readNames() {
    const countries = data.countries.flatMap(({ code, name, otherNames }) => {
      const area = { codes: [code] };
      return [name, ...otherNames].map((each) => ({ name: each, area }));
    });
    const regions = data.regions.map((name, i) => ({ name, area: areaOfRegion(data, i + 1) }));
    const names: NamedArea[] = [...countries, ...regions];
    const signatures = Uint32Array.from(names, ({ name }) => signatureOf(unitsOf(fold(name))));
    return { names, signatures };
  }

  /** Returns areas with similar names, the most similar first, then by their largest city. */
  return (text: string): NamedArea[] => {
    const folded = fold(text);
    const letters = unitsOf(folded);
    if (!ASCII.test(folded) || letters.length > MAX_LENGTH) return [];
    const wanted = signatureOf(letters);
    const allowed = allowedEdits(letters.length);
    known ??= readNames();
    const found = new Map<AreaRecord, NamedArea & { edits: number; people: number }>();
    for (const [i, signature] of known.signatures.entries()) {
      const named = canBeSimilar(signature, wanted, allowed) ? known.names[i] : undefined;
      if (!named) continue;
      const { name, area } = named;
      const units = unitsOf(fold(name));
      // Errors in the first letter are rare: "near me" is not Tearce.
      if (!units.subarray(0, 2).includes(letters[0] ?? 0)) continue;
      const edits = distance(letters, units, allowed);
      if (edits > allowed || edits >= (found.get(area)?.edits ?? Infinity)) continue;
      const [largest = -1] = placesIn(data, area);
      found.set(area, { name, area, edits, people: populationOf(data, largest) });
    }
    return [...found.values()].sort((a, b) => a.edits - b.edits || b.people - a.people);
  };
}
