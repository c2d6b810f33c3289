import { DIST } from '../dist-folder.js';
import { createLru } from '../base/lru.js';
import { isTimeZone } from '../weather/time/local-time.js';
import type {
  CityMatch,
  Gazetteer,
  NearestPlace,
  Place,
  PlaceQuestion,
  Point,
} from '../weather/types.js';
import type { AreaRecord, CodeRecord, GazetteerData } from './data/gazetteer-file.js';
import {
  countryIndex,
  countryOf,
  displayName,
  elevationOf,
  MAX_ZONE_KM,
  pointOf,
  regionNamesOf,
} from './data/place-record.js';
import { findByRegionCode, findPlaces } from './find/find-place.js';
import { areasNamed, countryNamed } from './names/countries.js';
import { isArea, townOf } from './find/exact-match.js';
import { fold } from './names/fold.js';
import { nameNear } from './names/unambiguous-name.js';
import { nearest } from './near/nearest.js';
import { loadPlaceData, type PlaceData } from './place-data.js';
import type { Scored } from './suggest/name-search.js';
import { suggest, suggestIn, suggestionsOf, townsNamed } from './suggest/suggest.js';

/** The gazetteer file, which the build writes. */
export const GAZETTEER_FILE = new URL('places/gazetteer.bin', DIST);

/** Maximum number of places or countries that an error suggests. */
const MAX_SIMILAR = 3;
/** Maximum number of memoized results of each kind. Fewer: popular places are searched again. */
const MAX_MEMOIZED = 20_000;
/** Maximum length of a memoized key, in UTF-16 code units. Longer queries are rarely repeated. */
const MAX_MEMOIZED_KEY_LENGTH = 100;

/**
 * Loads the gazetteer. Loading takes up to 0.2 s and 38 to 54 MB of memory.
 * @throws Error that says to run the build, if the file is missing, incomplete, or of another
 *   format version
 */
export function loadGazetteer(file: URL | string): Gazetteer {
  const data = loadPlaceData(file);
  const cities = memoized<CityMatch>();
  const nearestPlaces = memoized<NearestPlace | undefined>();
  /** Made for the first code, because parsing takes about 5 ms. */
  let codes: Map<string, CodeRecord> | undefined;
  return {
    findCity: (city, country) => cities(`${city}\n${country}`, () => findCity(data, city, country)),
    nearest: (point) =>
      nearestPlaces(`${point.latitude} ${point.longitude}`, () => nearestWithName(data, point)),
    byCode(code) {
      codes ??= recordsByCode(data);
      return byCode(data, codes.get(code), code);
    },
    suggest: (text, limit, country) =>
      suggest(data, text, limit, country)?.map(({ place, city }) => ({
        ...placeAt(data, place),
        city,
      })),
  };
}

/** Creates a memo of the last results of a pure function. A repeated query costs almost nothing. */
function memoized<Result>() {
  const memo = createLru<string, { result: Result }>(MAX_MEMOIZED);
  return (key: string, compute: () => Result): Result => {
    const known = memo.get(key);
    if (known) return known.result;
    const result = compute();
    if (key.length <= MAX_MEMOIZED_KEY_LENGTH) memo.set(key, { result });
    return result;
  };
}

/** Returns the place of a city's name in a country, or why there is none, with similar names. */
function findCity(data: PlaceData, city: string, country: string): CityMatch {
  const areas = [...areasNamed(data, country)];
  const [area] = areas;
  const [code] = area?.codes ?? [];
  if (!area || code === undefined) {
    const similar = data.similarAreas(country).filter((each) => each.area.region === undefined);
    const suggestions = similar.slice(0, MAX_SIMILAR).map(({ name }) => name);
    return { kind: 'unknown_country', suggestions };
  }
  const found = findPlaces(data, city, areas);
  const [place] = found;
  if (place !== undefined && !isArea(place) && found.length === 1) {
    return { kind: 'found', place: placeAt(data, place) };
  }
  // The text after a comma or in parentheses is a region.
  const [name = ''] = city.split(/[,(]/, 1);
  const question = questionAbout(data, city, country, area, found);
  const named = question ? townsNamed(data, name, area) : [];
  // A code names no area while somebody types: BY in Germany.
  const lists =
    named.length === 0 && place !== undefined && isArea(place)
      ? townsNamed(data, regionNamesOf(data, townOf(place))[0] ?? '', area)
      : named;
  const towns = suggestionsOf(data, lists, MAX_SIMILAR);
  const similar = towns.length > 0 ? towns : suggestIn(data, name, MAX_SIMILAR, area, true);
  return {
    kind: 'unknown_city',
    country: data.countries[countryIndex(data, code)]?.name ?? '',
    countryCode: code,
    key: `${fold(city)}:${code}`,
    suggestions: question?.places.length ? [] : similar.map((each) => each.city),
    question,
  };
}

/** Returns a question if a text means something else than a town of the country, or undefined. */
function questionAbout(
  data: PlaceData,
  city: string,
  country: string,
  area: AreaRecord,
  found: number[],
): PlaceQuestion | undefined {
  const ask = (reason: PlaceQuestion['reason'], region: number | undefined, lists: Scored[][]) => ({
    reason,
    region: data.regions[(region ?? 0) - 1] ?? '',
    places: suggestionsOf(data, lists, MAX_SIMILAR).map((each) => ({
      city: each.city,
      country: countryOf(data, each.place)?.name ?? '',
    })),
  });
  const listOf = (places: number[]) => [places.map((place) => ({ place, score: 1 }))];
  if (found.length > 1) return ask('namesake', undefined, listOf(found));
  const meant = findByRegionCode(data, city, country);
  if (meant) return ask('code', meant.area.region, listOf([meant.place]));
  if (found.length === 0 && !countryNamed(data, city)) return undefined;
  // "Toko" is Togo in another language, but more likely Tokyo. "Macau" is not Mação.
  const isOther = !found.length && data.countries.some(({ name }) => fold(name) === fold(city));
  const isHere = !isOther && suggestIn(data, city, 1, area, true).length > 0;
  return ask('region', undefined, isHere ? [] : townsNamed(data, city));
}

/** Returns the nearest place whose name leads back to it. A near point shares its time zone. */
function nearestWithName(data: PlaceData, point: Point): NearestPlace | undefined {
  const nameless = new Set<number>();
  for (let near = nearest(data, point); near; near = nearest(data, point, nameless)) {
    const { place, km, elevation } = near;
    const uniqueName = nameNear(data, place);
    const timeZone = km <= MAX_ZONE_KM ? timeZoneOf(data, place) : undefined;
    if (uniqueName !== undefined)
      return { ...placeAt(data, place), timeZone, elevation, uniqueName };
    nameless.add(place);
  }
  return undefined;
}

/** Returns what each code of IATA or ICAO means, by the code in capital letters. */
function recordsByCode({ codes }: PlaceData): Map<string, CodeRecord> {
  const records = JSON.parse(new TextDecoder().decode(codes)) as CodeRecord[];
  return new Map(records.flatMap((record) => record[0].map((code) => [code, record] as const)));
}

/** Returns the place of a code: a city, or an airport with the names of its town. */
function byCode(data: PlaceData, record: CodeRecord | undefined, code: string): Place | undefined {
  if (!record) return undefined;
  const [, town, airport, latitude, longitude, elevation] = record;
  const city = { ...placeAt(data, town), code };
  if (latitude === undefined || longitude === undefined) return city;
  return { ...city, airport, latitude, longitude, elevation: elevation ?? undefined };
}

/** Returns a place's time zone, or its fallback if the runtime does not know the zone. */
export function timeZoneOf(data: GazetteerData, place: number): string | undefined {
  const zone = data.timeZones[data.timeZone[place] ?? -1];
  const fallback = data.zoneFallbacks[zone ?? ''];
  return fallback === undefined || isTimeZone(zone) ? zone : fallback;
}

function placeAt(data: PlaceData, place: number): Place {
  const country = countryOf(data, place);
  return {
    city: displayName(data, place),
    country: country?.name ?? '',
    countryCode: country?.code ?? '',
    region: regionNamesOf(data, place)[0],
    timeZone: timeZoneOf(data, place),
    ...pointOf(data, place),
    elevation: elevationOf(data, place),
  };
}
