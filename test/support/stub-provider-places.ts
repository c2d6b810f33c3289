/** An entry of the geocoding service. Its responses omit values that are zero. */
export interface GeocodedPlace {
  id: number;
  /** The native name. It is searched for every language. */
  name: string;
  /** Names by language. They are searched and returned only for requests in that language. */
  names?: Record<string, string>;
  latitude: number;
  longitude: number;
  country_code: string;
  country: string;
  feature_code: string;
  population: number;
}

// prettier-ignore
export const DEFAULT_PLACES: GeocodedPlace[] = [
  { id: 2643743, name: 'London', latitude: 51.50853, longitude: -0.12574, country_code: 'GB', country: 'United Kingdom', feature_code: 'PPLC', population: 8961989 },
  { id: 6058560, name: 'London', latitude: 42.98339, longitude: -81.23304, country_code: 'CA', country: 'Canada', feature_code: 'PPL', population: 422324 },
  { id: 2867714, name: 'München', names: { en: 'Munich', de: 'München', fr: 'Munich', ru: 'Мюнхен' }, latitude: 48.13743, longitude: 11.57549, country_code: 'DE', country: 'Germany', feature_code: 'PPLA', population: 1260391 },
  { id: 1816670, name: 'Beijing', names: { zh: '北京', ru: 'Пекин', ja: '北京' }, latitude: 39.9075, longitude: 116.39723, country_code: 'CN', country: 'China', feature_code: 'PPLC', population: 18960744 },
  { id: 1850147, name: 'Tokyo', names: { ja: '東京都', zh: '东京', ko: '도쿄' }, latitude: 35.6895, longitude: 139.69171, country_code: 'JP', country: 'Japan', feature_code: 'PPLC', population: 9733276 },
  { id: 9000001, name: 'Seattle Airport', latitude: 47.449, longitude: -122.30931, country_code: 'US', country: 'United States', feature_code: 'AIRP', population: 0 },
  { id: 9000002, name: 'Mount Pleasant', latitude: 10, longitude: 10, country_code: 'NG', country: 'Nigeria', feature_code: 'MT', population: 0 },
  { id: 9000003, name: 'Zeroville', latitude: 0, longitude: 0, country_code: 'GH', country: 'Ghana', feature_code: 'PPL', population: 0 },
];

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** An entry without zero and empty values, as the real service encodes it. */
function wire(place: GeocodedPlace, language: string): Record<string, unknown> {
  const { names, ...rest } = place;
  const shown = { ...rest, name: names?.[language] ?? place.name };
  return Object.fromEntries(
    Object.entries(shown).filter(([, value]) => value !== 0 && value !== ''),
  );
}

/**
 * Searches as the real service does: prefixes of native names and of the names of one language,
 * by population, and the country is applied only after the list is cut to `count`.
 */
export function searchPlaces(
  places: GeocodedPlace[],
  query: URLSearchParams,
): Record<string, unknown>[] {
  const language = query.get('language') ?? 'en';
  const countryCode = query.get('countryCode');
  const wanted = fold(query.get('name') ?? '');
  const length = Array.from(wanted).length;
  if (length < 2) return [];
  const matches = (name = '') =>
    length === 2 ? fold(name) === wanted : fold(name).startsWith(wanted);
  return places
    .filter((place) => matches(place.name) || matches(place.names?.[language]))
    .sort((a, b) => b.population - a.population)
    .slice(0, Number(query.get('count') ?? 10))
    .filter((place) => !countryCode || place.country_code === countryCode)
    .map((place) => wire(place, language));
}
