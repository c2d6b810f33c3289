/** The names of a place. */
import type { Conditions } from '../state/api.js';
import { fold, type City } from '../state/queries.js';

type PlaceNames = Pick<Conditions['place'], 'city' | 'region' | 'country'>;

export interface Names {
  /** The name as the user spelled it, with the usual capital letters and accents. */
  heading: string;
  /** Where it is: the other name of the city, the region, and the country. Can be empty. */
  details: string;
}

/** @param location the spelling of the request @param place the place that was found */
export function namesOf(location: City, place: PlaceNames): Names {
  const { city, region, country } = place;
  // "Portland, Maine" is Portland in Maine.
  const [typed = ''] = location.city.split(/[,，、،]/);
  const isSame = fold(typed) === fold(city);
  const heading = isSame ? city : location.city;
  const details = [isSame ? null : city, region === heading ? null : region, country];
  const shown = details.filter((each) => each !== null && each !== '' && each !== heading);
  return { heading, details: [...new Set(shown)].join(', ') };
}
