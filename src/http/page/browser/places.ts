/** From what people type to what the service understands. */
import { Failure, ask, type City } from './api.js';

export interface Place extends City {
  region: string | null;
}

const MOST_SUGGESTIONS = 6;
/** Fewer letters fit too many places. */
const SHORTEST_GUESS = 3;
/** How many words at the end of a text are tried as a country. */
const COUNTRY_WORDS = 3;
/** What ends the long form of a country, as in "Iran, Islamic Republic of". */
const LONG_FORM = /\b(?:of|of the|of China)$/i;

export const nameOf = ({ city, country }: City) => [city, country].filter(Boolean).join(', ');

/** The name without the region that tells it from its namesakes: "Springfield, Illinois". */
export function ownNameOf({ city, region }: Place): string {
  return region && city.endsWith(`, ${region}`) ? city.slice(0, -region.length - 2) : city;
}

/** What a typed text means: a city, or what to say instead. */
export interface Meaning {
  city?: City;
  words: string;
}

/** Until then, by `performance.now()`, the service wants to be asked for no suggestions. */
let pausedUntil = 0;

/**
 * Places by the beginning of a name, in a country if it is given. Undefined: the text can be no
 * name, or the country is none.
 */
async function placesOf(
  q: string,
  signal: AbortSignal,
  country?: string,
): Promise<Place[] | undefined> {
  const pause = pausedUntil - performance.now();
  if (pause > 0) {
    throw new Failure(429, '', '', new Headers({ 'Retry-After': String(Math.ceil(pause / 1000)) }));
  }
  const query = new URLSearchParams({ q, limit: '10', ...(country ? { country } : {}) });
  try {
    const { body } = await ask(`api/v1/places?${query.toString()}`, signal);
    return (body as { places: Place[] }).places;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.status === 400) return undefined;
    pausedUntil = performance.now() + error.retryAfter * 1000;
    throw error;
  }
}

/** The same, where a failure means that there are none. */
async function placesOrNone(q: string, signal: AbortSignal, country?: string): Promise<Place[]> {
  try {
    return (await placesOf(q, signal, country)) ?? [];
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** Commas of other scripts count too. */
function partsOf(text: string): string[] {
  const parts = text.split(/[,，、،]/).map((part) => part.trim());
  return parts.filter(Boolean);
}

/** "City, Country", or "City, Region, Country": the last comma parts them. */
function split(text: string): City {
  const parts = partsOf(text);
  const isLong = parts.length > 2 && LONG_FORM.test(parts.at(-1) ?? '');
  const country = parts.length > 1 ? parts.splice(isLong ? -2 : -1) : [];
  return { city: parts.join(', '), country: country.join(', ') };
}

/** Suggestions for a text while it is typed: "Spring", "Springfield, Ill", "Potsdam, USA". */
export async function suggest(text: string, signal: AbortSignal): Promise<Place[]> {
  const [name = '', ...where] = partsOf(text);
  const places = (await placesOf(name, signal)) ?? [];
  const fitting = places.filter(({ region, country }) =>
    where.every((part) => begins(country, part) || begins(region, part)),
  );
  const isDone = fitting.length > 0 || where.length === 0;
  const found = isDone ? fitting : await placesOrNone(name, signal, split(text).country);
  return found.slice(0, MOST_SUGGESTIONS);
}

function begins(name: string | null, part: string): boolean {
  return fold(name ?? '').startsWith(fold(part));
}

/** Without case, accents, spaces and punctuation. */
function fold(text: string): string {
  const letters = text.normalize('NFD').replace(/[\u0300-\u036f]|[^\p{L}\p{M}\p{N}]/gu, '');
  return letters.toLowerCase();
}

/**
 * What is meant by a text of which no suggestion was taken. Without a country it is the likeliest
 * place of that name; the beginning of a name is none.
 * @throws Failure when the service cannot tell
 */
export async function meaningOf(text: string, signal: AbortSignal): Promise<Meaning> {
  const typed = split(text);
  if (typed.country) return { city: typed, words: '' };
  const name = typed.city;
  // "Singapore" is a city in a country of its name. "India" is none, but also a name of Inđija.
  const inCountry = await placesOf(name, signal, name);
  const [place] = inCountry ?? (await placesOf(name, signal)) ?? [];
  if (place && fold(ownNameOf(place)) === fold(name)) return { city: place, words: '' };
  if (place && (await isCalled(place, name, signal))) {
    return { city: place, words: `“${name}” is another name of ${ownNameOf(place)}.` };
  }
  if (inCountry) {
    return { words: `“${name}” is a country or a region. Please add the city: “City, ${name}”.` };
  }
  // "New York USA": the last words may be the country.
  const words = name.split(/\s+/);
  for (let count = 1; count <= COUNTRY_WORDS && count < words.length; count++) {
    const city = words.slice(0, -count).join(' ');
    const country = words.slice(-count).join(' ');
    if ((await placesOf(city, signal, country))?.length) {
      return { city: { city, country }, words: '' };
    }
  }
  return { words: `No city called “${text}” is known. Please add the country: “City, Country”.` };
}

/** Whether a text is a whole name of a place: only whole names are found before a comma. */
async function isCalled(place: Place, name: string, signal: AbortSignal): Promise<boolean> {
  const places = (await placesOf(nameOf({ city: name, country: place.country }), signal)) ?? [];
  return places.some((each) => nameOf(each) === nameOf(place));
}

/**
 * What may have been meant by a city that nobody knows.
 * @param message of the service, which names similar cities of the country
 */
export async function meant(
  { city, country }: City,
  message: string,
  signal: AbortSignal,
): Promise<City[]> {
  const [, names] = / Did you mean (.+)\?$/.exec(message) ?? [];
  if (names) return names.split(/, or |, | or /).map((name) => ({ city: name, country }));
  // The country may be the mistake, or the end of the name.
  const letters = Array.from(city);
  for (let length = letters.length; length >= SHORTEST_GUESS; length = Math.floor(length * 0.8)) {
    const places = await placesOrNone(letters.slice(0, length).join(''), signal);
    // "Paris, Texas": the country may be a region.
    const fits = ({ region }: Place) => Number(country !== '' && begins(region, country));
    places.sort((a, b) => fits(b) - fits(a));
    if (places.length > 0) return places.slice(0, MOST_SUGGESTIONS);
  }
  return [];
}
