import { PlaceNotFoundError, ServiceUnavailableError, UpstreamError } from './errors.js';
import type { CleanName } from '../text/place-names.js';
import { airportCodeIn, instead } from '../text/not-a-name.js';
import type { Lookup } from './lookup.js';
import { POSITION } from './kinds/position.js';
import type { Scope } from './request-scope.js';
import type { CityMatch, Gazetteer, Place, PlaceQuestion, Point } from './types.js';

/**
 * The location in a response. Its coordinates are null if the request has a name, those of the
 * airport if it has a code, and else the requested ones.
 */
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
   * The place that was found; for coordinates, the nearest one with its own position. For a name
   * that only the geocoder knows, the city is as in the request, and the region is unknown.
   */
  place: Place;
  /** The point of the data: the position of a place found by name, or the requested coordinates. */
  point: Point;
  /** IANA name of the time zone of the point, in every response about it. */
  timeZone: string;
  /** Whether the gazetteer has the place. What the geocoder finds may change. */
  isFromGazetteer: boolean;
}

type UnknownCity = Extract<CityMatch, { kind: 'unknown_city' }>;

export type Locator = ReturnType<typeof createLocator>;

/**
 * Finds locations in the gazetteer.
 * @param options.lookup finds positions of names it does not contain; undefined without geocoder
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
    match: UnknownCity,
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
      // Without the geocoder, the place is unknown. Other failures say nothing about the place.
      if (!hasGeocoderFailed(error)) throw error;
    }
    throw unknown(city, country, match);
  }

  function isKnownCode(text: string): boolean {
    const code = airportCodeIn(text);
    return code !== undefined && gazetteer.byCode(code) !== undefined;
  }

  function unknown(city: CleanName, country: CleanName, match: UnknownCity): PlaceNotFoundError {
    const advice = isKnownCode(city.shown) ? instead(city.shown) : undefined;
    return unknownCity(city.shown, country.shown, match, advice);
  }

  return {
    /**
     * @param city its shown form is repeated in `location` @param country likewise
     * @throws PlaceNotFoundError if there is no such place, or the geocoder is unavailable;
     *   ServiceUnavailableError if this service is overloaded
     */
    byCity(
      city: CleanName,
      country: CleanName,
      scope: Scope,
    ): LocationMatch | Promise<LocationMatch> {
      const names = { city: city.shown, country: country.shown };
      const location = { ...names, latitude: null, longitude: null };
      const located = (place: Place, isFromGazetteer: boolean) => ({
        location,
        place,
        point: place,
        timeZone: place.timeZone ?? timeZoneAt(place),
        isFromGazetteer,
      });
      const match = gazetteer.findCity(city.plain, country.plain);
      if (match.kind === 'found') return located(match.place, true);
      if (match.kind === 'unknown_country') {
        throw new PlaceNotFoundError(
          `'${city.shown}' could not be looked up: no country is called '${country.shown}'. ${hint(match.suggestions)}`.trim(),
          match.suggestions.map((name) => ({ city: city.shown, country: name })),
        );
      }
      // A geocoder would find a village of the name, and "LAX" is a code. "OULX" may be a village.
      const isCode = city.shown === city.shown.toUpperCase() && isKnownCode(city.shown);
      if (match.question || isCode) throw unknown(city, country, match);
      return geocode({ city, country }, match, scope).then((place) => located(place, false));
    },
    /**
     * Finds an airport, or the city whose airports have a code in common.
     * @param code in capital letters
     * @throws PlaceNotFoundError if the code is unknown
     */
    byCode(code: string): LocationMatch {
      const place = gazetteer.byCode(code);
      if (!place) {
        throw new PlaceNotFoundError(
          `No airport with the code '${code}' is known: it may be closed, small, or new. Write the name of the city.`,
        );
      }
      const { city, country, latitude, longitude } = place;
      // An airport shares its data with its coordinates, so both have one time zone.
      const zoned = place.airport === undefined ? place : gazetteer.nearest(place);
      return {
        location: { city, country, latitude, longitude },
        place,
        point: { latitude, longitude },
        timeZone: zoned?.timeZone ?? timeZoneAt(place),
        isFromGazetteer: true,
      };
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
        isFromGazetteer: true,
      };
    },
  };
}

/** Whether the geocoder failed, and not this service (too many waiting fetches, no budget left). */
function hasGeocoderFailed(error: unknown): boolean {
  const cause = error instanceof ServiceUnavailableError ? error.cause : undefined;
  return cause instanceof UpstreamError && cause.kind !== 'over_budget';
}

/** The error for an unknown city of a country, with the places that users more likely mean. */
function unknownCity(
  city: string,
  country: string,
  match: UnknownCity,
  aboutCode: string | undefined,
): PlaceNotFoundError {
  const { suggestions, question } = match;
  const similar = question?.places.length
    ? question.places
    : suggestions.map((name) => ({ city: name, country }));
  const names = question?.places.map((place) => `${place.city}, ${place.country}`);
  const advice = aboutCode ?? hint(names?.length ? names : suggestions);
  // The client may have meant another country: CA is Canada, not California.
  const meaning = country === match.country ? '' : ` (${match.country})`;
  return new PlaceNotFoundError(
    [notFound(city, country, meaning, question), advice].filter(Boolean).join(' '),
    similar,
  );
}

function notFound(city: string, country: string, meaning: string, question?: PlaceQuestion) {
  const sentence = `No place called '${city}' was found in '${country}'${meaning}.`;
  if (question?.reason === 'namesake') return `'${city}' in '${country}' can mean several places.`;
  if (question?.reason !== 'code') return sentence;
  return `${sentence} '${country}' is the code of a country here, and not of ${question.region}.`;
}

/** Returns the question whether a similar name is meant. Semicolons separate names with commas. */
function hint(names: string[]): string {
  if (names.length === 0) return '';
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).formatToParts(names);
  const hasCommas = names.some((name) => name.includes(','));
  const separated = list.map(({ type, value }) => {
    if (type === 'element' || !hasCommas) return value;
    return value.includes(',') ? value.replace(',', ';') : `;${value}`;
  });
  return `Did you mean ${separated.join('')}?`;
}
