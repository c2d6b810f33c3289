import Joi from 'joi';
import type { CallPolicy } from '../../upstream/policy.js';
import { atMost, objectOf, optional, type Validated } from '../../upstream/schema.js';
import { GEOCODER_NAME } from '../../config/providers.js';
import { fold } from '../../places/names/fold.js';
import type { Position } from '../../weather/kinds/position.js';
import type { UpstreamCall } from '../../weather/types.js';
import { isTimeZone } from '../../weather/time/local-time.js';
import type { ProviderOptions } from '../provider-options.js';
import { openMeteoCaller } from './open-meteo-service.js';

/** Maximum results, before the filter by country: a lower number would lose small places. */
const MAX_RESULTS = 100;

/**
 * The service omits zero and empty values, even `results` if no place has the name. A body with
 * neither of its two members, or with `error`, does not say whether there is such a place.
 */
const RESULT = objectOf({
  name: Joi.string().required(),
  latitude: Joi.number().min(-90).max(90).default(0),
  longitude: Joi.number().min(-180).max(180).default(0),
  country_code: Joi.string().allow('').default(''),
  feature_code: Joi.string().allow('').default(''),
  population: Joi.number().default(0),
  // A place without a valid one has that of the map of time zones.
  timezone: Joi.any<unknown>(),
});
const SEARCH = objectOf({
  generationtime_ms: Joi.number(),
  error: Joi.valid(false),
  results: optional(atMost(MAX_RESULTS, RESULT)),
}).or('results', 'generationtime_ms');
type Result = Validated<typeof RESULT>;

/** Feature codes of populated places, without abandoned, destroyed, and historical ones. */
const SETTLEMENT = /^PPL(?!H$|Q$|W$|CH$)/;

/**
 * Creates the function that finds the position of a name that the gazetteer lacks, by Open-Meteo's
 * place search over GeoNames (https://open-meteo.com/en/docs/geocoding-api).
 * @param policy that of `GEOCODER_NAME`
 */
export function createGeocoder(
  options: Pick<ProviderOptions, 'client' | 'config'>,
  policy: CallPolicy,
) {
  const get = openMeteoCaller(options, GEOCODER_NAME, '/v1/search');

  /**
   * @param countryCode ISO 3166-1 alpha-2, upper case
   * @returns the exact match with the largest population in the country; undefined if there is none
   * @throws UpstreamError if there is no usable response
   */
  return async (
    city: string,
    countryCode: string,
    call: UpstreamCall,
  ): Promise<Position | undefined> => {
    // The service compares the area after a comma.
    const [name = ''] = city.split(',');
    const folded = fold(name);
    if (folded === '') return undefined;
    // The service searches native names, and the names in one language.
    for (const language of likelyLanguages(city, countryCode)) {
      const count = String(MAX_RESULTS);
      const query = { name: city, count, language, format: 'json', countryCode };
      const getResults = () => get({ query, schema: SEARCH, signal: call.signal });
      const { body } = await policy({ ...call, call: getResults });
      const best = bestMatch(body.results ?? [], folded, countryCode);
      if (!best) continue;
      const { latitude, longitude, timezone } = best;
      return { latitude, longitude, ...(isTimeZone(timezone) && { timeZone: timezone }) };
    }
    return undefined;
  };
}

/** The exact match with the largest population. The service also matches beginnings of names. */
function bestMatch(results: Result[], folded: string, countryCode: string): Result | undefined {
  const matches = results
    .filter((result) => result.country_code === countryCode && fold(result.name) === folded)
    .sort((a, b) => b.population - a.population);
  return (
    matches.find(({ feature_code }) => SETTLEMENT.test(feature_code)) ??
    matches.find(({ feature_code }) => feature_code.startsWith('ADM'))
  );
}

/** The scripts other than Latin, as ISO 15924 codes. */
const SCRIPTS = 'Hani Hang Cyrl Arab Grek Hebr Deva Thai Geor Armn Beng Taml Telu'.split(' ');

function scriptOf(name: string): string {
  const has = (script: string) => new RegExp(`\\p{Script=${script}}`, 'u').test(name);
  // Japanese names have kana and Han, Chinese names only Han.
  if (has('Hira') || has('Kana')) return 'Jpan';
  return SCRIPTS.find(has) ?? 'Latn';
}

/** The likeliest language of a script in a country: likely subtags of Unicode CLDR (in Node.js). */
function likelyLanguage(script: string, countryCode?: string): string {
  return new Intl.Locale(['und', script, countryCode].filter(Boolean).join('-')).maximize()
    .language;
}

/**
 * At most two languages in which a place name in a country may be written, the most likely first. A
 * name in Latin letters is English, or in the language of the country (Munich, München).
 */
export function likelyLanguages(name: string, countryCode: string): string[] {
  const script = scriptOf(name);
  const local =
    script === 'Hani' && countryCode === 'JP' ? 'ja' : likelyLanguage(script, countryCode);
  const languages = script === 'Latn' ? ['en', local] : [local, likelyLanguage(script)];
  return [...new Set(languages)];
}
