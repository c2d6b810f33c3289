/** The names of a place. */
import { nameOf, type City, type Query } from '../service/queries.js';
import type { FoundPlace } from '../service/weather-api.js';

export interface Names {
  /** The name as the user spelled it, with the usual capital letters and accents. */
  heading: string;
  /** Where it is: the other name of the city, the region, the country, and the point. Can be empty. */
  details: string;
}

/** @param location the spelling of the request @param place the place that was found */
export function namesOf(query: Query, location: City, place: FoundPlace): Names {
  const { city, region, country } = place;
  // "Portland, Maine" is Portland in Maine.
  const [typed = ''] = location.city.split(/[,，、،]/);
  const isSame = fold(typed) === fold(city);
  const heading = isSame ? city : location.city;
  const details = [
    isSame ? null : city,
    region === heading ? null : region,
    country,
    'lat' in query ? nameOf(query) : null,
  ];
  const shown = details.filter((each) => each !== null && each !== '' && each !== heading);
  return { heading, details: [...new Set(shown)].join(', ') };
}

/** Removes case and accents. */
function fold(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
