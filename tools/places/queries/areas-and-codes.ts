import type { Gazetteer, Place } from '../../../src/weather/types.js';
import { fold } from '../../../src/places/names/fold.js';
import { KEYS, valuesOf } from '../../../src/places/data/key-hash.js';
import {
  displayName,
  isMinorPlace,
  populationOf,
  regionNamesOf,
  TOWN_POPULATION,
} from '../../../src/places/data/place-record.js';
import type { PlaceData } from '../../../src/places/place-data.js';
import { cleanName } from '../../../src/text/place-names.js';
import { countryLabels } from '../../gazetteer/country-labels.js';
import extract from '../../gazetteer/regions/regions.json' with { type: 'json' };
import type { Accuracy } from './measure.js';

/** Countries whose regions people name without the country. */
const LARGE = new Set('US CA AU BR MX AR CN IN RU DE FR IT ES JP GB'.split(' '));
/** The number of suggestions on the web page. */
const SHOWN = 6;
/** The number of suggestions that people read. */
const FIRST = 3;

/** A first-level region with its largest town. */
interface Region {
  name: string;
  number: number;
  code: string;
  town: string;
}

/** Measures texts that are the names or codes of countries and regions, all from the data. */
export function measureAreas(gazetteer: Gazetteer, data: PlaceData): Accuracy[] {
  return [
    ...measureCities(gazetteer, data),
    ...measureCodes(gazetteer, data),
    ...measureSuggestions(gazetteer, data),
    measureLabels(gazetteer, data),
  ];
}

/** Measures the names of regions in place of a city. */
export function measureCities(gazetteer: Gazetteer, data: PlaceData): Accuracy[] {
  const regions = regionsOf(data);
  const wrongOf = (region: Region) => regionAsCity(gazetteer, region);
  return [
    measure(
      'regions of 15 countries as cities: no place elsewhere',
      regions.filter(({ code }) => LARGE.has(code)),
      wrongOf,
    ),
    measure('regions of all countries as cities: no place elsewhere', regions, wrongOf),
  ];
}

/** Measures the names of all countries, and of the regions of large countries, as typed texts. */
export function measureSuggestions(gazetteer: Gazetteer, data: PlaceData): Accuracy[] {
  const countries = data.countries.map(({ code, name }) => ({ code, name, number: 0 }));
  const areas = [...countries, ...regionsOf(data).filter(({ code }) => LARGE.has(code))];
  return [FIRST, SHOWN].map((limit) =>
    measure(
      `countries and regions: a town of theirs is among the first ${limit} suggestions`,
      areas,
      ({ code, name, number }) => {
        const shown = (gazetteer.suggest(name, SHOWN) ?? []).slice(0, limit);
        const isOwn = (place: Place) =>
          place.countryCode === code && (number === 0 || place.region === name);
        return shown.some(isOwn) ? undefined : `${name}, ${code}: ${namesOf(shown)}`;
      },
    ),
  );
}

function measure<Case>(
  what: string,
  cases: Case[],
  wrongOf: (each: Case) => string | undefined,
): Accuracy {
  const wrong = cases.map(wrongOf).filter((each) => each !== undefined);
  return { what, right: cases.length - wrong.length, total: cases.length, wrong };
}

/** The largest place of each region comes first, because places are sorted by population. */
function regionsOf(data: PlaceData): Region[] {
  const found = new Map<number, Region>();
  for (const [place, number] of data.division.entries()) {
    if (number === 0 || found.has(number) || isMinorPlace(data, place)) continue;
    const name = regionNamesOf(data, place)[0] ?? '';
    const { code = '' } = data.countries[data.country[place] ?? -1] ?? {};
    if (cleanName(name).ok)
      found.set(number, { name, number, code, town: displayName(data, place) });
  }
  return [...found.values()];
}

function regionAsCity(gazetteer: Gazetteer, { name, code }: Region): string | undefined {
  const match = gazetteer.findCity(name, code);
  if (match.kind !== 'found' || match.place.region === name) return undefined;
  // "México" is the country, too, and means Mexico City.
  if ([match.place.city, match.place.country].some((each) => fold(each) === fold(name))) {
    return undefined;
  }
  return `${name}, ${code}: ${match.place.city}, ${String(match.place.region)}`;
}

/** Measures all ISO 3166-2 codes of regions, as the country of the region's largest town. */
export function measureCodes(gazetteer: Gazetteer, data: PlaceData): Accuracy[] {
  const isCountry = (iso: string) => valuesOf(data, KEYS.countryCode(fold(iso))).length > 0;
  const codes = extract.countries.flatMap(({ country, regions }) =>
    (regions as [string, string, string[]][]).flatMap(([, iso, names]) => {
      if (!/^[A-Z]{2,3}$/.test(iso)) return [];
      const keys = names.map((name) => KEYS.region(country, fold(name)));
      const [number] = keys.flatMap((key) => [...valuesOf(data, key)]);
      const town = number === undefined ? undefined : largestTown(data, number);
      return town === undefined ? [] : [{ country, iso, town }];
    }),
  );
  return [
    measure(
      'codes of regions as countries: no place elsewhere',
      codes,
      ({ country, iso, town }) => {
        const city = displayName(data, town);
        const match = gazetteer.findCity(city, iso);
        if (match.kind !== 'found' || match.place.countryCode === country) return undefined;
        // Another region of the code, or the country of the code, has a town of this name.
        const isTown = fold(match.place.city) === fold(city) || isCountry(iso);
        return isTown ? undefined : `${city}, ${iso} (${country}): ${match.place.city}`;
      },
    ),
  ];
}

function largestTown(data: PlaceData, region: number): number | undefined {
  const place = data.division.findIndex((each, at) => each === region && !isMinorPlace(data, at));
  return place >= 0 && populationOf(data, place) >= TOWN_POPULATION ? place : undefined;
}

/** Measures country names in all languages of `Intl.DisplayNames`, with the largest town. */
function measureLabels(gazetteer: Gazetteer, data: PlaceData): Accuracy {
  const cases: { label: string; code: string }[] = [];
  for (const [label, countries] of countryLabels(data.countries.map(({ code }) => code))) {
    if (!cleanName(label).ok) continue;
    const [code = ''] = [...countries].sort((a, b) => b[1] - a[1])[0] ?? [];
    cases.push({ label, code });
  }
  return measure('names of countries in all languages, with their largest town', cases, (each) => {
    const { first = 0 } = data.countries.find(({ code }) => code === each.code) ?? {};
    const match = gazetteer.findCity(displayName(data, first), each.label);
    if (match.kind === 'found' && match.place.countryCode === each.code) return undefined;
    return `${displayName(data, first)}, ${each.label} (${each.code}): ${match.kind === 'found' ? match.place.country : match.kind}`;
  });
}

function namesOf(places: Place[]): string {
  return places.map(({ city, countryCode }) => `${city} ${countryCode}`).join('; ');
}
