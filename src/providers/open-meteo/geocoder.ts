import Joi from 'joi';
import type { CallPolicy } from '../../upstream/policy.js';
import { atMost } from '../../upstream/schema.js';
import { GEOCODER_NAME } from '../../config/providers.js';
import { fold } from '../../places/fold.js';
import type { FetchCall, Point } from '../../weather/types.js';
import { likelyLanguages } from './name-languages.js';
import { openMeteoCaller, type OpenMeteoService } from './open-meteo-service.js';

/** Finds names that the gazetteer lacks. */
export interface Geocoder {
  readonly name: string;
  /**
   * @param countryCode ISO 3166-1 alpha-2, upper case
   * @returns the exact match with the largest population in that country; undefined if there is none
   * @throws UpstreamError if there is no usable response
   */
  search(city: string, countryCode: string, call: FetchCall): Promise<Point | undefined>;
}

export interface GeocoderOptions extends OpenMeteoService {
  /** The policy of `GEOCODER_NAME`. */
  policy: CallPolicy;
}

interface Result extends Point {
  name: string;
  country_code: string;
  feature_code: string;
  population: number;
}

/** The service cuts the list before it applies the country: with fewer, small places vanish. */
const MOST_RESULTS = 100;

/** The service leaves out zero and empty values. */
const SEARCH = Joi.object<{ results: Result[] }>({
  results: atMost(
    MOST_RESULTS,
    Joi.array().items(
      Joi.object({
        name: Joi.string().allow('').default(''),
        latitude: Joi.number().min(-90).max(90).default(0),
        longitude: Joi.number().min(-180).max(180).default(0),
        country_code: Joi.string().allow('').default(''),
        feature_code: Joi.string().allow('').default(''),
        population: Joi.number().default(0),
      }),
    ),
  ).default([]),
});

/** Populated places, without abandoned, destroyed and historical ones. */
const SETTLEMENT = /^PPL(?!H$|Q$|W$|CH$)/;

/** Open-Meteo's place search over GeoNames (https://open-meteo.com/en/docs/geocoding-api). */
export function createOpenMeteoGeocoder(options: GeocoderOptions): Geocoder {
  const { policy, ...service } = options;
  const get = openMeteoCaller(service, GEOCODER_NAME, '/v1/search');

  async function ask(
    name: string,
    countryCode: string,
    language: string,
    call: FetchCall,
  ): Promise<Result[]> {
    const query = { name, count: String(MOST_RESULTS), language, format: 'json', countryCode };
    const search = () => get({ query, schema: SEARCH, signal: call.signal });
    const { results } = await policy({ ...call, call: search });
    return results;
  }

  return {
    name: GEOCODER_NAME,
    async search(city, countryCode, call) {
      const wanted = fold(nameOf(city));
      if (wanted === '') return undefined;
      // The service searches native names and those of one language: another one may know the name.
      for (const language of likelyLanguages(city, countryCode)) {
        const results = await ask(city, countryCode, language, call);
        const best = bestMatch(results, wanted, countryCode);
        if (best) return { latitude: best.latitude, longitude: best.longitude };
      }
      return undefined;
    },
  };
}

/** The name before the first comma. The service itself compares the area that follows. */
function nameOf(city: string): string {
  return city.split(',')[0] ?? '';
}

/** The service also finds names that only begin alike. None of those is the wanted place. */
function bestMatch(results: Result[], wanted: string, countryCode: string): Result | undefined {
  const matches = results
    .filter((result) => result.country_code === countryCode && fold(result.name) === wanted)
    .sort((a, b) => b.population - a.population);
  return (
    matches.find(({ feature_code }) => SETTLEMENT.test(feature_code)) ??
    matches.find(({ feature_code }) => feature_code.startsWith('ADM'))
  );
}
