import { createEditDistance } from '../../text/edit-distance.js';
import { ASCII } from '../../text/typography.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { areaOfRegion, populationOf } from '../data/place-record.js';
import { fold } from '../names/fold.js';
import { allowedEdits, canBeSimilar, MAX_LENGTH, signature, unitsOf } from './similar-names.js';
import { placesIn } from './towns.js';

export type SimilarAreas = ReturnType<typeof createSimilarAreas>;

/** Creates the search for countries and regions that a user may mean with a text that names no place. */
export function createSimilarAreas(data: GazetteerData) {
  const distance = createEditDistance();
  const names = [...data.countries.map(({ name }) => name), ...data.regions];
  /** Signatures of the folded names, which exclude nearly all. Computed on first use, because few requests need them. */
  let signatures: Uint32Array | undefined;

  /** Returns the areas with English names that are similar to a text, the most similar first, then that with the larger city. */
  return (text: string): { name: string; area: AreaRecord }[] => {
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
      const [largest = -1] = placesIn(data, area);
      found.push({ name, area, edits, people: populationOf(data, largest) });
    }
    return found.sort((a, b) => a.edits - b.edits || b.people - a.people);
  };
}

function signatureOf(folded: string): number {
  return signature(unitsOf(folded), folded.length);
}
