/** Turns typed text into requests for places, and into the city that the user means. */
import type { Place, PlaceClient } from './place-client.js';
import { nameOf, type City } from '../service/queries.js';

const MOST_SUGGESTIONS = 6;
/** Minimum number of letters for a guess. Fewer letters match too many places. */
const MIN_GUESS_LENGTH = 3;
/** Number of words at the end of a text that are tried as a country. */
const COUNTRY_WORDS = 3;
/** The end of the long form of a country, as in "Iran, Islamic Republic of". */
const LONG_FORM = /\b(?:of|of the|of China)$/i;

/** Returns the name without the region that the service adds to ambiguous names: "Springfield, Illinois". */
export function withoutRegion({ city, region }: Place): string {
  return region && city.endsWith(`, ${region}`) ? city.slice(0, -region.length - 2) : city;
}

/** The interpretation of a typed text. */
export interface Interpretation {
  /** The city that the user means; undefined if there is none. */
  city?: City;
  /** A text to show: a note about the city, or why there is none. It can be empty. */
  text: string;
}

/** Splits a text at commas, also those of other scripts. */
function partsOf(text: string): string[] {
  const parts = text.split(/[,，、،]/).map((part) => part.trim());
  return parts.filter(Boolean);
}

/** Splits "City, Country" and "City, Region, Country" at the last comma. */
function split(text: string): City {
  const parts = partsOf(text);
  const isLong = parts.length > 2 && LONG_FORM.test(parts.at(-1) ?? '');
  const country = parts.length > 1 ? parts.splice(isLong ? -2 : -1) : [];
  return { city: parts.join(', '), country: country.join(', ') };
}

/** Requests suggestions for an incomplete text: "Spring", "Springfield, Ill", "Potsdam, USA". @throws Failure */
export async function suggest(
  client: PlaceClient,
  text: string,
  signal: AbortSignal,
): Promise<Place[]> {
  const [name = '', ...where] = partsOf(text);
  const places = (await client.find(name, signal)) ?? [];
  const fitting = places.filter(({ region, country }) =>
    where.every((part) => begins(country, part) || begins(region, part)),
  );
  const isDone = fitting.length > 0 || where.length === 0;
  const found = isDone ? fitting : await client.findOrNone(name, signal, split(text).country);
  return found.slice(0, MOST_SUGGESTIONS);
}

function begins(name: string | null, part: string): boolean {
  return comparable(name ?? '').startsWith(comparable(part));
}

/** Removes case, accents, spaces, and punctuation. */
function comparable(text: string): string {
  const letters = text.normalize('NFD').replace(/[\u0300-\u036f]|[^\p{L}\p{M}\p{N}]/gu, '');
  return letters.toLowerCase();
}

/**
 * Finds the city that a text means if the user chose no suggestion. Without a country, it is the most likely place with
 * exactly this name.
 * @throws Failure
 */
export async function interpret(
  client: PlaceClient,
  text: string,
  signal: AbortSignal,
): Promise<Interpretation> {
  const typed = split(text);
  if (typed.country) return { city: typed, text: '' };
  const name = typed.city;
  // "Singapore" is a city in the country of this name. "India" is not, but it is also a name of Inđija.
  const inCountry = await client.find(name, signal, name);
  const [place] = inCountry ?? (await client.find(name, signal)) ?? [];
  if (place && comparable(withoutRegion(place)) === comparable(name))
    return { city: place, text: '' };
  if (place && (await hasName(client, place, name, signal))) {
    return { city: place, text: `“${name}” is another name of ${withoutRegion(place)}.` };
  }
  if (inCountry) {
    return { text: `“${name}” is a country or a region. Please add the city: “City, ${name}”.` };
  }
  // "New York USA": the last words can be the country.
  const words = name.split(/\s+/);
  for (let count = 1; count <= COUNTRY_WORDS && count < words.length; count++) {
    const city = words.slice(0, -count).join(' ');
    const country = words.slice(-count).join(' ');
    if ((await client.find(city, signal, country))?.length) {
      return { city: { city, country }, text: '' };
    }
  }
  return { text: `No city called “${text}” is known. Please add the country: “City, Country”.` };
}

/** Returns whether a text is a complete name of a place. The service finds only complete names before a comma. */
async function hasName(
  client: PlaceClient,
  place: Place,
  name: string,
  signal: AbortSignal,
): Promise<boolean> {
  const places = (await client.find(nameOf({ city: name, country: place.country }), signal)) ?? [];
  return places.some((each) => nameOf(each) === nameOf(place));
}

/** Guesses which cities the user may have meant by an unknown city: those whose names begin like it. */
export async function guesses(
  client: PlaceClient,
  { city, country }: City,
  signal: AbortSignal,
): Promise<City[]> {
  // The country can be wrong, or the end of the name: try shorter and shorter beginnings of the name.
  const letters = Array.from(city);
  for (let length = letters.length; length >= MIN_GUESS_LENGTH; length = Math.floor(length * 0.8)) {
    const places = await client.findOrNone(letters.slice(0, length).join(''), signal);
    // "Paris, Texas": the user may have typed a region instead of a country.
    const fits = ({ region }: Place) => Number(country !== '' && begins(region, country));
    places.sort((a, b) => fits(b) - fits(a));
    if (places.length > 0) return places.slice(0, MOST_SUGGESTIONS);
  }
  return [];
}
