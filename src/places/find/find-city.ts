import type { CityMatch } from '../../weather/types.js';
import { countryIndex } from '../data/place-record.js';
import { areasNamed } from '../names/countries.js';
import { fold } from '../names/fold.js';
import type { PlaceData } from '../place-data.js';
import { didYouMean } from '../similar/did-you-mean.js';
import { findInArea } from './find-in-area.js';

/** Returns the index of the place that a city's name means in a country, or why there is none, with similar names. */
export function findCity(
  data: PlaceData,
  city: string,
  country: string,
): number | Exclude<CityMatch, { kind: 'found' }> {
  const areas = areasNamed(data, country);
  const [area] = areas;
  const [code] = area?.codes ?? [];
  if (!area || code === undefined) {
    const similar = data.similarAreas(country).filter(({ area }) => area.region === undefined);
    return { kind: 'unknown_country', suggestions: similar.slice(0, 3).map(({ name }) => name) };
  }
  for (const each of areas) {
    const place = findInArea(data, city, each);
    if (place !== undefined) return place;
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
