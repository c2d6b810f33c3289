import { PlaceNotFoundError, ServiceUnavailableError } from '../errors.js';
import { codeOf } from './conditions.js';
import { isDaylight } from './daylight.js';
import type { CacheOutcome, Lookup } from './lookup.js';
import { requestKey, weatherRequest } from './request.js';
import type { Scope } from './scope.js';
import type { Clock, Gazetteer, Point, Weather } from './types.js';

/** The place of an answer. By name it has no coordinates; by coordinates it has those that were asked. */
export interface Location {
  city: string;
  country: string;
  latitude: number | null;
  longitude: number | null;
}

export interface Answer {
  location: Location;
  /** The very object that the cache holds: the same for each answer from one entry. */
  weather: Weather;
  /** The same for every spelling of one place. */
  placeKey: string;
  cache: CacheOutcome;
  provider: string;
  /** The credit that the provider demands; undefined for a provider that is not known here. */
  attribution: string | undefined;
  /** WMO weather code; undefined for conditions that have none. */
  code: number | undefined;
  /** Whether the sun is up there, by the provider where it says so. */
  isDay: boolean;
  /** Whole seconds since the data was fetched. */
  ageSeconds: number;
}

export type CurrentWeather = ReturnType<typeof createCurrentWeather>;

/** Current weather for a place, by name or by coordinates. */
export function createCurrentWeather(options: {
  gazetteer: Gazetteer;
  lookup: Lookup;
  /** The credit for what a provider gave, by its name. */
  attributionOf: (provider: string) => string | undefined;
  clock: Clock;
}) {
  const { gazetteer, lookup, attributionOf, clock } = options;

  /** @param known the place of the gazetteer that was asked for, or that is nearest */
  async function at(
    point: Point,
    known: Point | undefined,
    location: Location,
    scope: Scope,
  ): Promise<Answer> {
    const request = weatherRequest(point, known);
    const { entry, outcome } = await lookup(request, scope);
    if (entry.value.kind !== 'weather') throw new TypeError('a weather key held no weather');
    const { weather, provider } = entry.value;
    return {
      location,
      weather,
      placeKey: requestKey(request),
      cache: outcome,
      provider,
      attribution: attributionOf(provider),
      code: codeOf(weather.condition),
      isDay: weather.is_day ?? isDaylight(point, clock.now()),
      ageSeconds: Math.max(0, Math.floor((clock.monotonic() - entry.fetchedAt) / 1000)),
    };
  }

  /** Known names need no one; unknown ones go to the geocoder, through the same cache and queue. */
  async function locate(
    city: string,
    country: string,
    scope: Scope,
  ): Promise<{ point: Point; known?: Point }> {
    const match = gazetteer.findCity(city, country);
    if (match.kind === 'found') return { point: match.place, known: match.place };
    if (match.kind === 'unknown_country') {
      throw new PlaceNotFoundError(
        `'${city}' could not be looked up: no country is called '${country}'.`,
      );
    }
    const unknown = new PlaceNotFoundError(notFound(city, country, match.suggestions));
    try {
      const { entry } = await lookup(
        { kind: 'geocode', city, countryCode: match.countryCode, name: match.key },
        scope,
      );
      if (entry.value.kind === 'geocode' && entry.value.point) return { point: entry.value.point };
    } catch (error) {
      // The gazetteer does not know the place, and the geocoder cannot be asked: it counts as unknown.
      if (!(error instanceof ServiceUnavailableError)) throw error;
    }
    throw unknown;
  }

  return {
    /**
     * @param city cleaned text, echoed in the answer @param country likewise
     * @throws PlaceNotFoundError @throws ServiceUnavailableError
     */
    async byCity(city: string, country: string, scope: Scope): Promise<Answer> {
      const { point, known } = await locate(city, country, scope);
      return at(point, known, { city, country, latitude: null, longitude: null }, scope);
    },
    /** @throws PlaceNotFoundError far from any city @throws ServiceUnavailableError */
    async byCoordinates(point: Point, scope: Scope): Promise<Answer> {
      const place = gazetteer.nearest(point);
      if (!place) {
        throw new PlaceNotFoundError(
          `No city was found near latitude ${point.latitude}, longitude ${point.longitude}`,
        );
      }
      const { city, country } = place;
      return at(point, place, { city, country, ...point }, scope);
    },
  };
}

function notFound(city: string, country: string, suggestions: string[]): string {
  const hint = suggestions.length > 0 ? ` Did you mean ${alternatives(suggestions)}?` : '';
  return `No place called '${city}' was found in '${country}'.${hint}`;
}

function alternatives(names: string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
}
