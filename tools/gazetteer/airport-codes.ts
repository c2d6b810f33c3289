import type { CodeRecord } from '../../src/places/data/gazetteer-file.js';
import { distancesFrom } from '../../src/weather/distance.js';
import { readAirports, type Airport } from './airport-rows.js';
import { ownNames, townNames, TOWN_KM } from './airports.js';
import { Rank } from './city-names.js';
import { nearestPlace } from './nearest-place.js';
import { meantPlaces, placesNamed, type NamedPlace } from './places-named.js';
import type { SourcePlace } from './source-places.js';
import cities from './tables/city-codes.json' with { type: 'json' };

/**
 * An airport is in a suburb (Zaventem), and named after the city that it serves (Brussels). If the
 * city has this many times the population, it is the town of the airport.
 */
const CITY_FACTOR = 5;
/** Two towns can have one airport: Dallas-Fort Worth. */
const HYPHEN = /-(?=\p{Lu})/u;

/**
 * Lists the codes of airports and cities in the countries of the places, each with the index of its
 * town. Leaves out airports far from all places, and their coordinates.
 * @param places sorted by population in descending order
 */
export function codesOf(places: SourcePlace[]): CodeRecord[] {
  const countries = new Set(places.map(({ country }) => country));
  const airports = readAirports()
    .filter(({ country, codes }) => countries.has(country) && codes.length > 0)
    .map((airport) => ({ airport, names: [namesOf(townNames(airport.town)), cityNames(airport)] }));
  const named = placesNamed(
    places,
    airports.flatMap(({ names }) => names.flat()),
  );
  const nearest = nearestPlace(places);
  const indices = new Map(places.map((place, index) => [place, index]));
  const isTown = ({ section, obscure }: SourcePlace) => !section && obscure !== true;

  /** Returns the largest near place with a name of its town or its own, or the nearest place. */
  function townOf(airport: Airport, names: string[][]) {
    const distanceTo = distancesFrom(airport);
    const isNear = ({ place, rank }: NamedPlace): boolean =>
      isTown(place) && rank <= Rank.alternate && distanceTo(place) <= TOWN_KM;
    const [town, city] = names.map((alternatives) => {
      const near = alternatives.flatMap((name) => named(airport.country, name).filter(isNear));
      return near.sort((a, b) => a.value - b.value)[0]?.place;
    });
    if (town && city && city.population < CITY_FACTOR * town.population) return town;
    return city ?? town ?? nearest(airport, isTown)?.place;
  }

  const ofAirports = airports.flatMap(({ airport, names }): CodeRecord[] => {
    const { codes, name, latitude, longitude, elevation } = airport;
    const town = townOf(airport, names);
    const index = town && indices.get(town);
    return index === undefined ? [] : [[codes, index, name, latitude, longitude, elevation]];
  });
  const ofCities = Object.entries(cities.codes);
  const meant = meantPlaces(
    places,
    ofCities.flatMap(([, [city]]) => city ?? []),
  );
  return [
    ...ofAirports,
    ...ofCities.flatMap(([code, [city = '', country = '']]): CodeRecord[] => {
      if (!countries.has(country)) return [];
      const index = meant(country, city);
      if (index === undefined) throw new Error(`no place is called ${city}, ${country}`);
      return [[[code], index]];
    }),
  ];
}

/** Place names in an airport's name, also its first and its last word: Washington Dulles. */
function cityNames(airport: Airport): string[] {
  const words = airport.name.split(' ');
  return [airport.name, words[0], words.at(-1)].flatMap((name = '') => ownNames({ name }));
}

const namesOf = (names: string[]): string[] => [
  ...new Set([...names, ...names.flatMap((name) => name.split(HYPHEN))]),
];
