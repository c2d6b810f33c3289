import Joi from 'joi';
import { explainOpenMeteo } from './refusals.js';
import type { UpstreamClient } from '../../upstream/client.js';
import type { Geocoder, Point } from '../../weather/types.js';
import { fold } from '../../weather/fold.js';
import { likelyLanguages } from './languages.js';

/** The upstream's name: of its breaker, and in errors and records. */
export const GEOCODER_NAME = 'open-meteo-geocoding';

export interface GeocoderOptions {
  client: UpstreamClient;
  /** Without a path. */
  baseUrl: string;
  /** Only for the customers' host: the free one answers a key with a redirect. */
  apiKey?: string | undefined;
  /** Runs each call under the cap and the breaker of `GEOCODER_NAME`. */
  guard: <T>(signal: AbortSignal, call: () => Promise<T>) => Promise<T>;
}

interface Result extends Point {
  name: string;
  country_code: string;
  feature_code: string;
  population: number;
}

/** Zero and empty values are left out on the wire. */
const SEARCH = Joi.object<{ results: Result[] }>({
  results: Joi.array()
    .items(
      Joi.object({
        name: Joi.string().allow('').default(''),
        latitude: Joi.number().min(-90).max(90).default(0),
        longitude: Joi.number().min(-180).max(180).default(0),
        country_code: Joi.string().allow('').default(''),
        feature_code: Joi.string().allow('').default(''),
        population: Joi.number().default(0),
      }),
    )
    .default([]),
});

/** The country is applied only after the list is cut: with fewer, small places vanish. */
const MOST_RESULTS = '100';
/** Populated places, without those that are gone: abandoned, destroyed, historical. */
const SETTLEMENT = /^PPL(?!H$|Q$|W$|CH$)/;

/** Open-Meteo's place search over GeoNames (https://open-meteo.com/en/docs/geocoding-api). */
export function createOpenMeteoGeocoder(options: GeocoderOptions): Geocoder {
  const { client, baseUrl, apiKey, guard } = options;

  async function ask(
    city: string,
    countryCode: string,
    language: string,
    signal: AbortSignal,
  ): Promise<Result[]> {
    const url = new URL('/v1/search', baseUrl);
    url.search = new URLSearchParams({
      name: city,
      count: MOST_RESULTS,
      language,
      format: 'json',
      countryCode,
      ...(apiKey === undefined ? {} : { apikey: apiKey }),
    }).toString();
    const request = { upstream: GEOCODER_NAME, url, schema: SEARCH, signal };
    const { body } = await guard(signal, () =>
      client.getJson({ ...request, explain: explainOpenMeteo }),
    );
    return body.results;
  }

  return {
    name: GEOCODER_NAME,
    async search(city, countryCode, signal) {
      const wanted = fold(nameOf(city));
      if (wanted === '') return undefined;
      // The service searches native names and those of one language: another may know the name.
      for (const language of likelyLanguages(city, countryCode)) {
        const results = await ask(city, countryCode, language, signal);
        const best = bestMatch(results, wanted, countryCode);
        if (best) return { latitude: best.latitude, longitude: best.longitude };
      }
      return undefined;
    },
  };
}

/** What follows a comma is the area, which the service itself compares. */
function nameOf(city: string): string {
  return city.split(',')[0] ?? '';
}

/** The service also finds names that only begin alike; none of those is the place asked for. */
function bestMatch(results: Result[], wanted: string, countryCode: string): Result | undefined {
  const matches = results
    .filter((result) => result.country_code === countryCode && fold(result.name) === wanted)
    .sort((a, b) => b.population - a.population);
  return (
    matches.find(({ feature_code }) => SETTLEMENT.test(feature_code)) ??
    matches.find(({ feature_code }) => feature_code.startsWith('ADM'))
  );
}
