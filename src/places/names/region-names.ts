import { ASCII } from '../../text/typography.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import { areaOfRegion } from '../data/place-record.js';
import { fold } from './fold.js';
import words from './region-words.json' with { type: 'json' };

/** Countries in which people write a region's code without a comma: "Portland OR", "Sydney NSW". */
const WRITTEN_WITHOUT_COMMA = new Set(['US', 'CA', 'AU', 'BR', 'MX', 'CH', 'IN', 'ZA', 'IT']);

/** Returns the region numbers of a name or code in countries: "Bavaria", "Berkshire", "NSW". */
export const regionsIn = createSearch(() => true);

/** Returns the regions of a name only: a short word can be part of a town's name. */
export const regionsByName = createSearch(() => false);

/** Returns the regions of a text that follows a town's name without a comma. */
export const regionsBehindName = createSearch((country) => WRITTEN_WITHOUT_COMMA.has(country));

/** @param hasCodes whether the text can be the code of a region in a country */
function createSearch(hasCodes: (country: string) => boolean) {
  return (data: GazetteerData, countries: string[], text: string): number[] => {
    const forms = formsOf(text);
    // A text with an accent or in another script is not a code.
    const isAscii = ASCII.test(text);
    return countries.flatMap((country) =>
      forms.flatMap((form) => [
        ...(isAscii && hasCodes(country) ? valuesOf(data, KEYS.regionCode(country, form)) : []),
        ...valuesOf(data, KEYS.region(country, form)),
      ]),
    );
  };
}

/** Returns whether a region is of the first level. Its number is lower than the second level's. */
export function isFirstLevel({ lastDivision }: { lastDivision: number }, region: number): boolean {
  return region <= lastDivision;
}

/** Returns the regions of all countries by code, then by name, each by descending population. */
export function regionsEverywhere(data: GazetteerData, text: string): AreaRecord[] {
  const regions = formsOf(text).flatMap((form) => [
    ...(ASCII.test(text) ? valuesOf(data, KEYS.anyRegionCode(form)) : []),
    ...valuesOf(data, KEYS.anyRegion(form)),
  ]);
  return [...new Set(regions)].map((region) => areaOfRegion(data, region));
}

/** Folds a text, and the text without words such as "County". */
function formsOf(text: string): string[] {
  return [...new Set([fold(text), fold(bareRegion(text))])].filter((form) => form !== '');
}

const BEFORE = new RegExp(`^(?:${words.before.join('|')}) +`, 'iu');
const AFTER = new RegExp(`(?:${words.after.join('|')})$`, 'iu');

/** Removes words for the kind of region from a name: "County Cork", "Московская обл." */
export function bareRegion(name: string): string {
  const [first = ''] = name.split(', ', 1);
  return first.replace(BEFORE, '').replace(AFTER, '').trim();
}
