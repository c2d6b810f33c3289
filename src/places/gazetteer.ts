import { DIST } from '../dist-folder.js';
import { createLru } from '../base/lru.js';
import type { CityMatch, Gazetteer, NearestPlace, Place, Point } from '../weather/types.js';
import {
  countryIndex,
  countryOf,
  displayName,
  MAX_ZONE_KM,
  pointOf,
  regionNamesOf,
  timeZoneOf,
} from './data/place-record.js';
import { findInArea } from './find/find-in-area.js';
import { areasNamed } from './names/countries.js';
import { fold } from './names/fold.js';
import { nameNear } from './names/unambiguous-name.js';
import { nearest } from './near/nearest.js';
import { loadPlaceData, type PlaceData } from './place-data.js';
import { didYouMean } from './similar/did-you-mean.js';
import { suggest } from './suggest/suggest.js';

/** The gazetteer file, which the build writes. */
export const GAZETTEER_FILE = new URL('places/gazetteer.bin', DIST);

/** Maximum number of memoized results of each kind. Fewer: requests for places in demand search again. */
const MAX_MEMOIZED = 20_000;
/** Maximum length of a memoized key, in UTF-16 code units. Longer queries are rarely repeated. */
const MAX_MEMOIZED_KEY_LENGTH = 100;

/**
 * Loads the gazetteer. Loading takes up to 0.2 s and 38 to 54 MB of memory.
 * @throws Error that says to run the build, if the file is missing, incomplete, or of another format version
 */
export function loadGazetteer(file: URL | string): Gazetteer {
  const data = loadPlaceData(file);
  const cities = createMemo<CityMatch>();
  const nearestPlaces = createMemo<NearestPlace | undefined>();
  return {
    findCity: (city, country) => cities(`${city}\n${country}`, () => findCity(data, city, country)),
    nearest: (point) =>
      nearestPlaces(`${point.latitude} ${point.longitude}`, () => nearestWithName(data, point)),
    suggest: (text, limit, country) =>
      suggest(data, text, limit, country)?.map(({ place, city }) => ({
        ...placeAt(data, place),
        city,
      })),
  };
}

/** Creates a memo of the last results of a pure function, so that a repeated query costs almost nothing. */
function createMemo<Result>() {
  const memo = createLru<string, { result: Result }>(MAX_MEMOIZED);
  return (key: string, compute: () => Result): Result => {
    const memoized = memo.get(key);
    if (memoized) return memoized.result;
    const result = compute();
    if (key.length <= MAX_MEMOIZED_KEY_LENGTH) memo.set(key, { result });
    return result;
  };
}

/** Returns the place that a city's name means in a country, or why there is none, with similar names. */
function findCity(data: PlaceData, city: string, country: string): CityMatch {
  const areas = areasNamed(data, country);
  const [area] = areas;
  const [code] = area?.codes ?? [];
  if (!area || code === undefined) {
    const similar = data.similarAreas(country).filter(({ area }) => area.region === undefined);
    return { kind: 'unknown_country', suggestions: similar.slice(0, 3).map(({ name }) => name) };
  }
  for (const each of areas) {
    const place = findInArea(data, city, each);
    if (place !== undefined) return { kind: 'found', place: placeAt(data, place) };
  }
  return {
    kind: 'unknown_city',
    country: data.countries[countryIndex(data, code)]?.name ?? '',
    countryCode: code,
    key: `${fold(city)}:${code}`,
    // The text after a comma or in parentheses is a region.
    suggestions: didYouMean(data, city.split(/[,(]/, 1)[0] ?? '', area),
  };
}

/** Returns the nearest place whose name leads back to it. */
function nearestWithName(data: PlaceData, point: Point): NearestPlace | undefined {
  const first = nearest(data, point);
  const isInZone = first && first.centerKm <= MAX_ZONE_KM;
  const timeZone = isInZone ? timeZoneOf(data, first.center) : undefined;
  const nameless = new Set<number>();
  for (let near = first; near; near = nearest(data, point, nameless)) {
    const uniqueName = nameNear(data, near.place);
    if (uniqueName !== undefined) return { ...placeAt(data, near.place), timeZone, uniqueName };
    nameless.add(near.place);
  }
  return undefined;
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
  };
}
