import { PlaceNotFoundError, ServiceUnavailableError } from './errors.js';
import type { CleanName } from '../text/place-names.js';
import type { Lookup } from './lookup.js';
import { POSITION } from './kinds/position.js';
import type { Scope } from './request-scope.js';
import type { CityMatch, Gazetteer, Place, Point } from './types.js';

/** The location in a response. A request by name has null coordinates; one by coordinates repeats them. */
export interface Location {
  city: string;
  country: string;
  latitude: number | null;
  longitude: number | null;
}

/** The location that a request is about. */
export interface LocationMatch {
  location: Location;
  /**
   * The place that was found. For coordinates it is the nearest one, with its own position. Of a name that only the
   * geocoder knows, the city is as in the request, and the region is unknown.
   */
  place: Place;
  /** The point that the data is for: the position of a place that was found by name, or the requested coordinates. */
  point: Point;
  /** IANA name of the time zone of the point, in every response about it. */
  timeZone: string;
  /** Whether the gazetteer has the place. What the geocoder finds may change. */
  isLasting: boolean;
}

export type Locator = ReturnType<typeof createLocator>;

/**
 * Finds locations in the gazetteer.
 * @param options.lookup finds the position of a name that it does not contain; undefined if no geocoder is used
 * @param options.timeZoneAt returns the IANA name of the time zone at a point whose place has none
 */
export function createLocator(options: {
  gazetteer: Gazetteer;
  lookup: Lookup | undefined;
  timeZoneAt: (point: Point) => string;
}) {
  const { gazetteer, lookup, timeZoneAt } = options;

  /** Finds a place that is not in the gazetteer by the geocoder. */
  async function geocode(
    { city, country }: { city: CleanName; country: CleanName },
    match: Extract<CityMatch, { kind: 'unknown_city' }>,
    scope: Scope,
  ): Promise<Place> {
    const { countryCode } = match;
    try {
      const request = { city: city.plain, countryCode, name: match.key };
      const position = (await lookup?.(POSITION, request, scope))?.entry.value;
      if (position) {
        return { city: city.shown, country: match.country, countryCode, ...position };
      }
    } catch (error) {
      // Without the geocoder, the place counts as unknown.
      if (!(error instanceof ServiceUnavailableError)) throw error;
    }
    // The client may have meant another country: CA is Canada, not California.
    const meaning = country.shown === match.country ? '' : ` (${match.country})`;
    throw new PlaceNotFoundError(
      `No place called '${city.shown}' was found in '${country.shown}'${meaning}.${hint(match.suggestions)}`,
      match.suggestions.map((name) => ({ city: name, country: country.shown })),
    );
  }

  return {
    /**
     * @param city its shown form is repeated in `location` @param country likewise
     * @throws PlaceNotFoundError if there is no such place, or the geocoder is unavailable
     */
    byCity(
      city: CleanName,
      country: CleanName,
      scope: Scope,
    ): LocationMatch | Promise<LocationMatch> {
      const names = { city: city.shown, country: country.shown };
      const location = { ...names, latitude: null, longitude: null };
      const located = (place: Place, isLasting: boolean) => ({
        location,
        place,
        point: place,
        timeZone: place.timeZone ?? timeZoneAt(place),
        isLasting,
      });
      const match = gazetteer.findCity(city.plain, country.plain);
      if (match.kind === 'found') return located(match.place, true);
      if (match.kind === 'unknown_country') {
        throw new PlaceNotFoundError(
          `'${city.shown}' could not be looked up: no country is called '${country.shown}'.${hint(match.suggestions)}`,
          match.suggestions.map((name) => ({ city: city.shown, country: name })),
        );
      }
      return geocode({ city, country }, match, scope).then((place) => located(place, false));
    },
    /** @throws PlaceNotFoundError far from any city */
    byCoordinates(point: Point): LocationMatch {
      const place = gazetteer.nearest(point);
      if (!place) {
        throw new PlaceNotFoundError(
          `No city was found near latitude ${point.latitude}, longitude ${point.longitude}`,
        );
      }
      const location = { city: place.uniqueName, country: place.country, ...point };
      return {
        location,
        place,
        point,
        timeZone: place.timeZone ?? timeZoneAt(point),
        isLasting: true,
      };
    },
  };
}

/** Returns the sentence with similar names. */
function hint(names: string[]): string {
  if (names.length === 0) return '';
  return ` Did you mean ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}?`;
}
