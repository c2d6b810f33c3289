import { fold } from '../../src/weather/fold.js';
import { cleanName } from '../../src/weather/names.js';
import { divisionKey } from '../../src/places/key-hash.js';
import { foldedNames, Rank } from './city-names.js';
import type { Regions } from './regions.js';
import type { SourcePlace } from './source-places.js';
import extract from './airports/airports.json' with { type: 'json' };

/** An airport lies at most so far from the town that it is named after … */
const TOWN_KM = 60;
/** … and so far from the town that stands for an island or a landmark. */
const NEAREST_KM = 15;
/** Degrees; wider than the distances above away from the poles. */
const CELL = 1;
/** What is no part of a place's name. */
const AIRPORT =
  /\b(?:international|intercontinental|regional|national|municipal|domestic|state|central|city|airport|airfield|aerodrome|airpark|airstrip|air (?:force )?base|field|naf|raf|afb|nas|terminal|waterdrome|seaplane base|heliport)\b/giu;
const ISLAND = /\b(?:islands?|atoll)\b/giu;
const PARTS = / - |[–/(),"“”]/u;
/** In the name of an airport also "Paris-Orly"; a town's own name has hyphens, too: Fort-de-France. */
const AIRPORT_PARTS = / - |[–/(),"“”]|-(?=\p{Lu})/u;

/**
 * Adds what airports tell: the islands and landmarks that they are named after, as names of the next town; and the
 * towns that GeoNames' list lacks.
 */
export function addAirports(sources: SourcePlace[], regions: Regions): SourcePlace[] {
  const regionKeys = new Map(regions.keys(() => 0));
  const near = grid(sources);
  const names = new Map<SourcePlace, string[]>();
  const added: SourcePlace[] = [];
  for (const airport of extract.airports as [string, string, string, number, number][]) {
    const [name, town, country, latitude, longitude] = airport;
    const towns = partsOf(town, PARTS);
    // A name in small letters ranks last: most airports are named after people.
    const honours = partsOf(name.replace(AIRPORT, ' '), AIRPORT_PARTS).map((part) =>
      part.toLowerCase(),
    );
    const all = [...new Set([...towns, ...honours])];
    if (all.length === 0) continue;
    const around = near(country, latitude, longitude);
    const called = (asked: string): SourcePlace | undefined => {
      const folded = fold(asked);
      return around.find(({ km, place }) => {
        const rank = foldedNames(place).get(folded);
        return km <= TOWN_KM && rank !== undefined && rank <= Rank.alternate;
      })?.place;
    };
    const served =
      towns.map(called).find((place) => place) ??
      around.find(({ km, place }) => km <= NEAREST_KM && !place.section)?.place;
    // A region has a main town of its own.
    const missing = all.filter(
      (each) => !called(each) && !regionKeys.has(divisionKey(country, fold(each))),
    );
    if (served) names.set(served, [...(names.get(served) ?? []), ...missing]);
    else added.push({ ...newPlace(all, country, latitude, longitude), ...regionOf(around[0]) });
  }
  const known = sources.map((place) => {
    const more = names.get(place);
    return more
      ? { ...place, alternateNames: [...new Set([...place.alternateNames, ...more])] }
      : place;
  });
  return [...known, ...added];
}

/** The names in a text, without "Island". */
function partsOf(text: string, separator: RegExp): string[] {
  const parts = text.split(separator).map((part) => part.trim());
  // "Tanjung Redeb - Borneo Island": the town says where, the island is too large.
  const towns =
    parts.length > 1 ? parts.filter((part) => part.replace(ISLAND, '') === part) : parts;
  return [text, ...towns]
    .flatMap((part) => [part, part.replace(ISLAND, ' ')])
    .map((part) => part.replace(/ {2,}/g, ' ').trim())
    .filter((part) => part.length > 2 && cleanName(part).ok && /^\p{Lu}/u.test(part));
}

function newPlace(
  [first = '', ...alternateNames]: string[],
  country: string,
  latitude: number,
  longitude: number,
): SourcePlace {
  return {
    name: first.replace(/^\p{Ll}| \p{Ll}/gu, (letter) => letter.toUpperCase()),
    formerNames: [],
    alternateNames,
    latitude,
    longitude,
    country,
    division: '',
    district: '',
    population: 0,
    fame: 0,
    capital: false,
    section: false,
  };
}

/** A new place lies in the region of the next one. */
function regionOf(next: Near | undefined): Pick<SourcePlace, 'division' | 'district'> {
  return { division: next?.place.division ?? '', district: next?.place.district ?? '' };
}

interface Near {
  place: SourcePlace;
  km: number;
}

/** Gives the places of a country around a point, the nearest first. */
function grid(places: SourcePlace[]) {
  const cells = new Map<string, SourcePlace[]>();
  const cell = (country: string, x: number, y: number): string => `${country}:${x}:${y}`;
  for (const place of places) {
    const key = cell(
      place.country,
      Math.floor(place.longitude / CELL),
      Math.floor(place.latitude / CELL),
    );
    const known = cells.get(key);
    if (known) known.push(place);
    else cells.set(key, [place]);
  }
  const steps = [-1, 0, 1];
  return (country: string, latitude: number, longitude: number): Near[] => {
    const [x, y] = [Math.floor(longitude / CELL), Math.floor(latitude / CELL)];
    const shrink = Math.cos((latitude * Math.PI) / 180);
    return steps
      .flatMap((dx) => steps.flatMap((dy) => cells.get(cell(country, x + dx, y + dy)) ?? []))
      .map((place) => {
        const dx = (place.longitude - longitude) * shrink;
        return { place, km: 111.2 * Math.hypot(place.latitude - latitude, dx) };
      })
      .filter(({ km }) => km <= TOWN_KM)
      .sort((a, b) => a.km - b.km);
  };
}
