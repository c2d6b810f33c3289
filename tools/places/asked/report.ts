import type { Gazetteer } from '../../../src/weather/types.js';
import type { Accuracy } from '../quality/measure.js';
import { airportTowns, regionsOfTowns, statesOfTowns } from './generated.js';
import { readMisspelt, readQuestions, readWanted } from './lists.js';
import { measureMisspelt, measureQuestions, measureWanted } from './measure.js';

/** Islands, parks and lakes are large: any point of them is right. */
const LARGE_KM = 80;
/** An airport lies this far from its town at most. */
const AIRPORT_KM = 60;

/** What is written by hand. It needs no package. */
export function measureAsked(gazetteer: Gazetteer): Accuracy[] {
  const list = (what: string, name: string, withinKm?: number): Accuracy =>
    measureQuestions(what, readQuestions(name), gazetteer, withinKm);
  const misspelt = measureMisspelt(
    'misspelt names: the right one is a hint',
    readMisspelt(),
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
    misspelt.hinted,
    misspelt.silently,
  ];
}

/** What comes from lists of others; their packages are installed when they are first needed. */
export function measureLists(gazetteer: Gazetteer): Accuracy[] {
  const states = statesOfTowns();
  const regions = regionsOfTowns();
  const airports = airportTowns();
  return [
    measureQuestions('"Town, State" (United States)', states.name, gazetteer),
    measureQuestions('"Town, ST"', states.code, gazetteer),
    measureQuestions('"Town ST"', states.noComma, gazetteer),
    measureQuestions('"Town, Region" elsewhere', regions.comma, gazetteer),
    measureQuestions('"Town Region" elsewhere', regions.noComma, gazetteer),
    measureQuestions('towns of large airports', airports.large, gazetteer, AIRPORT_KM),
    measureQuestions('towns of other airports', airports.medium, gazetteer, AIRPORT_KM),
  ];
}
