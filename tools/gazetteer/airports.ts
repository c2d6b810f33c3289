import { distancesFrom } from '../../src/places/distance.js';
import { fold } from '../../src/places/fold.js';
import { cleanName } from '../../src/place-names.js';
import { Rank, withNames } from './city-names.js';
import type { Regions } from './regions.js';
import { nearestPlace } from './places-around.js';
import { placesNamed } from './places-named.js';
import { newPlace, sourcePlace, type SourcePlace } from './source-places.js';
import extract from './airports/airports.json' with { type: 'json' };

type Airport = [name: string, town: string, country: string, latitude: number, longitude: number];

/** An airport lies at most so far from the town that it is named after … */
const TOWN_KM = 60;
/** … and so far from the town that stands for an island or a landmark. */
const NEAREST_KM = 15;
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
  const airports = (extract.airports as Airport[]).map(([name, town, ...where]) => {
    const towns = partsOf(town, PARTS);
    // A name in small letters ranks last: most airports are named after people.
    const honours = partsOf(name.replace(AIRPORT, ' '), AIRPORT_PARTS).map((part) =>
      part.toLowerCase(),
    );
    return { towns, all: [...new Set([...towns, ...honours])], where };
  });
  const named = placesNamed(
    sources,
    airports.flatMap(({ all }) => all),
  );
  const nearest = nearestPlace(sources);
  const names = new Map<SourcePlace, string[]>();
  const added: SourcePlace[] = [];
  for (const { towns, all, where } of airports) {
    const [country, latitude, longitude] = where;
    if (all.length === 0) continue;
    const distanceTo = distancesFrom({ latitude, longitude });
    const called = (asked: string): SourcePlace | undefined =>
      named(country, asked)
        .filter(({ rank }) => rank <= Rank.alternate)
        .map(({ place }) => ({ place, km: distanceTo(place.latitude, place.longitude) }))
        .filter(({ km }) => km <= TOWN_KM)
        .sort((a, b) => a.km - b.km)[0]?.place;
    const next = nearest(...where, ({ section }) => !section);
    const served =
      towns.map(called).find((place) => place) ??
      (next && next.km <= NEAREST_KM ? next.place : undefined);
    // A region has a main town of its own.
    const missing = all.filter(
      (each) => !called(each) && regions.named(country, fold(each)).length === 0,
    );
    if (served) names.set(served, [...(names.get(served) ?? []), ...missing]);
    else added.push(sourcePlace({ ...namedPlace(all, ...where), ...regionOf(next?.place) }));
  }
  const known = sources.map((place) => {
    const more = names.get(place);
    return more ? withNames(place, more) : place;
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

function namedPlace(
  [first = '', ...alternateNames]: string[],
  country: string,
  latitude: number,
  longitude: number,
): SourcePlace {
  const name = first.replace(/^\p{Ll}| \p{Ll}/gu, (letter) => letter.toUpperCase());
  return { ...newPlace(name, country, latitude, longitude), alternateNames };
}

/** A new place lies in the region of the next one. */
function regionOf(next: SourcePlace | undefined): Pick<SourcePlace, 'division' | 'district'> {
  return { division: next?.division ?? '', district: next?.district ?? '' };
}
