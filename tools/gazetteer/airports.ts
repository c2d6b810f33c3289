import { distancesFrom } from '../../src/weather/distance.js';
import { fold } from '../../src/places/names/fold.js';
import { cleanName } from '../../src/text/place-names.js';
import { Rank, withAllNames } from './city-names.js';
import { addTo } from './group-by.js';
import { namesInMainLanguages } from './country-labels.js';
import type { Regions } from './regions.js';
import { nearestPlace } from './nearest-place.js';
import { placesNamed } from './places-named.js';
import { sourcePlace, type SourcePlace } from './source-places.js';
import { readAirports } from './airport-rows.js';

/** The maximum distance of an airport from the town of its name. */
export const TOWN_KM = 60;
/** Maximum distance of an airport from the town that gets the names of islands and landmarks. */
const NEAREST_KM = 15;
/** Words of an airport's name that are not part of a place's name. */
const AIRPORT =
  /\b(?:international|intercontinental|regional|national|municipal|domestic|state|central|city|airport|airfield|aerodrome|airpark|airstrip|air (?:force )?base|field|naf|raf|afb|nas|terminal|waterdrome|seaplane base|heliport)\b/giu;
const ISLAND = /\b(?:islands?|atoll)\b/giu;
const PARTS = / - |[–/(),"“”]/u;
/** Airport names are also split at hyphens ("Paris-Orly"), town names are not (Fort-de-France). */
const AIRPORT_PARTS = / - |[–/(),"“”]|-(?=\p{Lu})/u;
/** A text with parentheses is a name and a remark. */
const IS_NAME = /^\p{Lu}[^()]*$/u;

/**
 * Adds the names of islands and landmarks with an airport to the nearest town, and the towns of
 * airports that GeoNames' list does not have.
 */
export function addAirports(sources: SourcePlace[], regions: Regions): SourcePlace[] {
  const scheduled = readAirports().filter(({ isScheduled }) => isScheduled);
  const airports = scheduled.map(({ name, town, country, latitude, longitude, region }) => {
    const towns = townNames(town);
    // A lower-case name has the lowest rank: most airports are named after people.
    const otherNames = ownNames({ name }).map((part) => part.toLowerCase());
    const all = [...new Set([...towns, ...otherNames])];
    return { towns, all, region, where: { country, latitude, longitude } };
  });
  const named = placesNamed(
    sources,
    airports.flatMap(({ all }) => all),
  );
  const nearest = nearestPlace(sources);
  const capitals = new Map(
    sources.filter(({ capital }) => capital).map((place) => [place.country, place]),
  );
  const names = new Map<SourcePlace, string[]>();
  const added: SourcePlace[] = [];
  for (const { towns, all, region, where } of airports) {
    const { country } = where;
    if (all.length === 0) continue;
    const distanceTo = distancesFrom(where);
    const called = (name: string): SourcePlace | undefined =>
      named(country, name)
        .filter(({ rank }) => rank <= Rank.alternate)
        .map(({ place }) => ({ place, km: distanceTo(place) }))
        .filter(({ km }) => km <= TOWN_KM)
        .sort((a, b) => a.km - b.km)[0]?.place;
    const next = nearest(where, ({ section }) => !section);
    const served =
      towns.map(called).find((place) => place) ??
      (next && next.km <= NEAREST_KM ? next.place : undefined);
    // Regions are left out, as they have their main towns. A country's name means its capital.
    const countryNames = new Set(namesInMainLanguages(country).map(fold));
    const missing = all.filter(
      (each) => !called(each) && regions.named(country, fold(each)).length === 0,
    );
    const isCountry = (name: string): boolean => countryNames.has(fold(name));
    const capital = missing.some(isCountry) ? capitals.get(country) : undefined;
    if (capital) addTo(names, capital, ...missing.filter(isCountry));
    const own = capital ? missing.filter((name) => !isCountry(name)) : missing;
    if (served) addTo(names, served, ...own);
    else {
      const [first = '', ...alternateNames] = all;
      const name = first.replace(/^\p{Ll}| \p{Ll}/gu, (letter) => letter.toUpperCase());
      const { division = '', district = '' } = next?.place ?? {};
      // Far from any other place, only the airport's own region is known.
      const code = division === '' ? regions.codeOf(country, region) : division;
      added.push(sourcePlace({ ...where, name, alternateNames, division: code, district }));
    }
  }
  return [...withAllNames(sources, names), ...added];
}

/** Returns the names in the name of an airport's town. */
export const townNames = (town: string): string[] => partsOf(town, PARTS);

/** Returns the names of places in the name of an airport. */
export const ownNames = ({ name }: { name: string }): string[] =>
  partsOf(name.replace(AIRPORT, ' '), AIRPORT_PARTS);

/** Returns the names in a text, also without "Island". */
function partsOf(text: string, separator: RegExp): string[] {
  const parts = text.split(separator).map((part) => part.trim());
  // "Tanjung Redeb - Borneo Island": an island with a town is too large to be a name of it.
  const towns =
    parts.length > 1 ? parts.filter((part) => part.replace(ISLAND, '') === part) : parts;
  return [text, ...towns]
    .flatMap((part) => [part, part.replace(ISLAND, ' ')])
    .map((part) => part.replace(/ {2,}/g, ' ').trim())
    .filter((part) => part.length > 2 && IS_NAME.test(part) && cleanName(part).ok);
}
