import KDBush from 'kdbush';
import { cleanName } from '../../src/text/place-names.js';
import {
  UNKNOWN_ELEVATION,
  type CodeRecord,
  type CountryRecord,
  type GazetteerData,
} from '../../src/places/data/gazetteer-file.js';
import { UNITS_PER_DEGREE } from '../../src/places/data/place-record.js';
import { acceptedName } from './accepted-name.js';
import { namesInMainLanguages } from './country-labels.js';
import type { CountryNames } from './country-names.js';
import { areaTownKeys } from './area-towns.js';
import { areaKeys, joinedKeys, keyedValues, keyTable, withFirstPlace } from './key-table.js';
import { groupBy } from './group-by.js';
import { mergedNames, namesByCountry } from './list-names.js';
import { regionsNear } from './regions-near.js';
import { popularityOf } from './popularity.js';
import type { Regions } from './regions.js';
import type { SourcePlace } from './source-places.js';
import { timeZonesOf } from './time-zones.js';
import { offsetsOf } from './offsets.js';
import type { Part } from './part.js';
import zones from './tables/time-zones.json' with { type: 'json' };
import forms from './tables/name-forms.json' with { type: 'json' };

/**
 * Turns the places into the arrays of the file.
 *
 * @param parts in the order of their countries
 */
export function assemble(
  parts: Part[],
  countryNames: CountryNames,
  regions: Regions,
): GazetteerData {
  const places = parts.flatMap((part) => part.places);
  const firstPlaces = offsetsOf(parts.map((part) => part.places.length));
  const countries = countryRecords(places, countryNames);
  const countryIndex = new Map(countries.map(({ code }, i) => [code, i]));
  const shown = places.map(shownName);
  const population = Uint32Array.from(places, (place) => place.population);
  const popularity = popularityOf(places);
  const country = Uint8Array.from(places, (place) => countryIndex.get(place.country) ?? 0);
  const division = Uint16Array.from(places, (place) =>
    regions.first(place.country, place.division),
  );
  const formerOrDistrict = Uint16Array.from(
    places,
    ({ country, division, district, formerDivision = division }) =>
      regions.second(country, division, district) || regions.former(country, formerDivision),
  );
  const near = regionsNear(places, division);
  const district = formerOrDistrict.map((region, i) => region || (near.get(i) ?? 0));
  const nameList = mergedNames(
    parts.map(({ list }) => list),
    firstPlaces,
  );
  const codes = parts.flatMap((part, i) =>
    part.codes.map(([codes, place, ...airport]): CodeRecord => [
      codes,
      place + (firstPlaces[i] ?? 0),
      ...airport,
    ]),
  );
  // The order must not depend on the parts. The last one has a code: an airport before a city.
  codes.sort((a, b) => a.length - b.length || a[1] - b[1]);
  const cityKeys = joinedKeys(
    parts.map(({ keys }, i) => withFirstPlace(keys, firstPlaces[i] ?? 0)),
  );
  const regionKeys = regions.keys(peopleOf([division, formerOrDistrict], population));
  const areaTowns = areaTownKeys({
    places,
    shown,
    arrays: { population, popularity, country, division, district: formerOrDistrict },
    countryNames,
    regions,
    regionKeys,
    cities: keyTable(cityKeys),
  });
  return {
    countries,
    areas: countryNames.areas,
    regions: regions.names.map(acceptedName),
    lastDivision: regions.lastDivision,
    ...timeZonesOf(places),
    zoneFallbacks: zones.fallbacks,
    nameForms: forms.forms as GazetteerData['nameForms'],
    latitude: Int32Array.from(places, (place) => Math.round(place.latitude * UNITS_PER_DEGREE)),
    longitude: Int32Array.from(places, (place) => Math.round(place.longitude * UNITS_PER_DEGREE)),
    elevation: Int16Array.from(places, ({ elevation = UNKNOWN_ELEVATION }) => elevation),
    population,
    popularity,
    country,
    division,
    district,
    nameStart: offsetsOf(shown.map((text) => Buffer.byteLength(text))),
    names: Buffer.from(shown.join('')),
    regionCountry: countriesOfRegions([division, formerOrDistrict], country, regions.names.length),
    ...keyTable(joinedKeys([cityKeys, areaKeys(countryNames, regionKeys), keyedValues(areaTowns)])),
    ...spatialIndex(places),
    codes: Buffer.from(JSON.stringify(codes)),
    ...nameList,
    ...namesByCountry(nameList, country, countries.length),
  };
}

/** A city with a larger share of its country's population also names points in other regions. */
const DOMINANT_SHARE = 1 / 2;

function countryRecords(places: SourcePlace[], names: CountryNames): CountryRecord[] {
  const byCountry = groupBy(places, ({ country }) => country);
  let first = 0;
  return Array.from(byCountry, ([code, members]): CountryRecord => {
    const [largest = 0, ...others] = members.map(({ population }) => population);
    const people = others.reduce((sum, each) => sum + each, largest);
    const end = first + members.length;
    const record = {
      ...{ code, name: countryName(code, names), otherNames: namesInMainLanguages(code) },
      ...{ first, end, dominated: largest > DOMINANT_SHARE * people },
    };
    first = end;
    return record;
  });
}

/** Returns a country's display name. @throws Error if lookups reject it: clients send it back */
function countryName(code: string, names: CountryNames): string {
  const name = names.englishName(code);
  if (name === undefined) throw new Error(`ISO 3166-1 has no country ${code}`);
  const cleaned = cleanName(name);
  if (!cleaned.ok || cleaned.name.shown !== name)
    throw new Error(`no lookup accepts the country ${name}`);
  return name;
}

/** Returns the total population of the places of each region. */
function peopleOf(regions: Uint16Array[], population: Uint32Array): (region: number) => number {
  const people = new Map<number, number>();
  for (const of of regions) {
    for (const [place, region] of of.entries()) {
      people.set(region, (people.get(region) ?? 0) + (population[place] ?? 0));
    }
  }
  return (region) => people.get(region) ?? 0;
}

/** Returns the country of each region, by its number. */
function countriesOfRegions(
  regions: Uint16Array[],
  country: Uint8Array,
  count: number,
): Uint8Array {
  const countries = new Uint8Array(count + 1);
  for (const of of regions) {
    for (const [place, region] of of.entries()) countries[region] = country[place] ?? 0;
  }
  return countries;
}

function spatialIndex(places: SourcePlace[]) {
  const spatialPlaces = Uint32Array.from(places.flatMap((place, i) => (place.section ? [] : [i])));
  // Coordinates of 32 bits are exact to a meter.
  const index = new KDBush(spatialPlaces.length, undefined, Float32Array);
  for (const i of spatialPlaces) {
    const { longitude = 0, latitude = 0 } = places[i] ?? {};
    index.add(longitude, latitude);
  }
  return { points: new Uint8Array(index.finish().data), spatialPlaces };
}

/** Returns the display name, without "city" in Japanese and Korean names: Fukui-shi, Bucheon-si. */
function shownName({ name }: SourcePlace): string {
  const whole = name.normalize('NFC');
  return acceptedName(whole.endsWith('i') ? whole.replace(/(?<=\p{L})-(?:shi|si)$/u, '') : whole);
}
