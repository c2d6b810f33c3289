import type { Gazetteer } from '../../../src/weather/types.js';
import { readMisspelled, readQueries, readWanted } from './lists.js';
import { measureMisspelled, measureQueries, measureWanted, type Accuracy } from './measure.js';

/** The tolerance for islands, parks, and lakes, which are large. */
const LARGE_KM = 80;

/** Measures the hand-written lists. */
export function measureHandWritten(gazetteer: Gazetteer): Accuracy[] {
  const list = (what: string, name: string, withinKm?: number): Accuracy =>
    measureQueries(what, readQueries(name), gazetteer, withinKm);
  const misspelled = measureMisspelled(
    'misspelled names: the correct one is suggested',
    readMisspelled(),
    gazetteer,
  );
  const wanted = readWanted();
  return [
    list('town and region, many countries', 'regions'),
    list('towns in the language of their country', 'own-language', 30),
    list('islands and small states', 'islands', LARGE_KM),
    list('villages and resorts', 'villages'),
    list('parks, lakes and sights', 'sights', LARGE_KM),
    list('famous names, territories, other names of countries', 'famous'),
    list('native and long forms, abbreviations', 'forms', 30),
    ...[3, 4, 5].map((letters) =>
      measureWanted(`suggestions after ${letters} letters`, wanted, gazetteer, letters),
    ),
    misspelled.hinted,
    misspelled.silently,
  ];
}
