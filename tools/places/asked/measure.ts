import type { Gazetteer } from '../../../src/weather/types.js';
import { kilometres } from '../quality/distance.js';
import type { Accuracy } from '../quality/measure.js';
import type { Question, readMisspelt, readWanted } from './lists.js';

/** How many questions lead to a place within so many km of their answer. */
export function measureQuestions(
  what: string,
  questions: Question[],
  gazetteer: Gazetteer,
  withinKm = 25,
): Accuracy {
  const wrong = questions.flatMap(({ city, country, latitude, longitude }) => {
    const match = gazetteer.findCity(city, country);
    const asked = `${city} | ${country}`;
    if (match.kind !== 'found') return [`${asked}: ${match.kind}`];
    const { place } = match;
    const km = kilometres(latitude, longitude, place.latitude, place.longitude);
    return km <= withinKm ? [] : [`${asked}: ${place.city}, ${Math.round(km)} km off`];
  });
  return accuracy(what, questions.length, wrong);
}

/** How many places are among the first five suggestions after so many letters, in all countries. */
export function measureWanted(
  what: string,
  wanted: ReturnType<typeof readWanted>,
  gazetteer: Gazetteer,
  letters: number,
): Accuracy {
  const wrong = wanted.flatMap(({ city, countryCode, typed }) => {
    const text = Array.from(typed).slice(0, letters).join('');
    const places = gazetteer.suggest(text, 5) ?? [];
    const isWanted = (place: (typeof places)[number]): boolean =>
      place.countryCode === countryCode && place.city.split(', ')[0] === city;
    if (places.some(isWanted)) return [];
    const shown = places.map((place) => `${place.city} ${place.countryCode}`).join('; ');
    return [`${text} for ${city}, ${countryCode}: ${shown}`];
  });
  return accuracy(what, wanted.length, wrong);
}

/** How many misspelt names bring the right one as a hint, or are a spelling of it. */
export function measureMisspelt(
  what: string,
  misspelt: ReturnType<typeof readMisspelt>,
  gazetteer: Gazetteer,
): { hinted: Accuracy; silently: Accuracy } {
  const unhinted: string[] = [];
  const others: string[] = [];
  for (const { city, country, meant } of misspelt) {
    const placeOf = (name: string): string | undefined => {
      const match = gazetteer.findCity(name, country);
      return match.kind === 'found' ? JSON.stringify(match.place) : undefined;
    };
    const right = placeOf(meant);
    if (right === undefined) throw new Error(`${meant}, ${country} is not in the gazetteer`);
    const match = gazetteer.findCity(city, country);
    if (match.kind === 'found') {
      if (placeOf(city) !== right) others.push(`${city} | ${country}: ${match.place.city}`);
      continue;
    }
    const hints = match.kind === 'unknown_city' ? match.suggestions : [];
    if (!hints.some((name) => placeOf(name) === right)) {
      unhinted.push(`${city} | ${country}: ${hints.join('; ')}`);
    }
  }
  return {
    hinted: accuracy(what, misspelt.length, [...unhinted, ...others]),
    silently: accuracy('misspelt names: not silently another place', misspelt.length, others),
  };
}

function accuracy(what: string, asked: number, wrong: string[]): Accuracy {
  return { what, right: asked - wrong.length, asked, wrong };
}
