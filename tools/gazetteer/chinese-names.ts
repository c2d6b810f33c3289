import { fold } from '../../src/places/names/fold.js';
import { foldedNames, Rank } from './city-names.js';
import { addTo } from './group-by.js';
import type { Regions } from './regions.js';
import { sourcePlace, type SourcePlace } from './source-places.js';
import extract from './chinese-cities/chinese-cities.json' with { type: 'json' };
import table from './tables/chinese-seats.json' with { type: 'json' };

const CHINA = 'CN';
const SEATS: Partial<Record<string, string>> = table.seats;

/**
 * Adds the Chinese names of China's cities and seats of prefectures, of which GeoNames has three
 * quarters. The city is the largest place of its province with this pinyin.
 */
export function addChineseNames(sources: SourcePlace[], regions: Regions): SourcePlace[] {
  const wanted = new Map<string, string[]>();
  for (const { province, cities } of extract.provinces) {
    const [number] = regions.named(CHINA, fold(province));
    if (number === undefined) throw new Error(`no region is called ${province}`);
    for (const [name = '', pinyin = ''] of cities) {
      const key = `${number}:${fold(SEATS[name] ?? pinyin)}`;
      addTo(wanted, key, name);
    }
  }
  const best = new Map<string, SourcePlace>();
  for (const place of sources) {
    if (place.country !== CHINA || place.section) continue;
    const number = regions.first(CHINA, place.division);
    for (const [folded, rank] of foldedNames(place)) {
      const key = `${number}:${folded}`;
      if (rank > Rank.alternate || !wanted.has(key)) continue;
      const known = best.get(key);
      if (!known || place.population > known.population) best.set(key, place);
    }
  }
  const named = new Map<SourcePlace, string[]>();
  for (const [key, place] of best) addTo(named, place, ...(wanted.get(key) ?? []));
  return sources.map((place) => {
    const names = named.get(place);
    return names ? sourcePlace({ ...place, formerNames: [...place.formerNames, ...names] }) : place;
  });
}
