import type { LocationMatch, Locator } from '../../weather/location.js';
import type { Scope } from '../../weather/request-scope.js';
import { loggable, type RequestLogFields } from '../request-log-fields.js';
import { codeFrom, isDegrees, placeFrom, pointFrom, type Input } from '../input/validate.js';

export type RequestedBy = 'name' | 'coordinates' | 'airport';

/** A way in which a request names its location. Routes, log records, and tools follow from it. */
export interface LocationWay {
  by: RequestedBy;
  /** Follows the path of an endpoint. */
  suffix: string;
  parameters: readonly string[];
  /** Whether only endpoints with public responses have it. */
  isPublic?: boolean;
  /** Whether the parameters are members of a JSON body. */
  isBody: boolean;
  /** Validates the input. Returns what finds the location. @throws InvalidInputError */
  read: (
    input: Input,
  ) => (locator: Locator, scope: Scope) => LocationMatch | Promise<LocationMatch>;
  /** The log fields of a request whose location was not found, or not searched. Never throws. */
  logFieldsOf: (input: Input) => RequestLogFields;
}

const byName = (what: 'parameters' | 'fields'): LocationWay => ({
  by: 'name',
  suffix: '',
  parameters: ['city', 'country'],
  isBody: what === 'fields',
  read(input) {
    const { city, country } = placeFrom(input, what);
    return (locator, scope) => locator.byCity(city, country, scope);
  },
  logFieldsOf: ({ city, country }) => ({ city: loggable(city), country: loggable(country) }),
});

export const BY_NAME = byName('parameters');
/** By the members of a JSON body. */
export const BY_NAME_IN_BODY = byName('fields');

export const BY_COORDINATES: LocationWay = {
  by: 'coordinates',
  suffix: '/coordinates',
  parameters: ['lat', 'lon'],
  isBody: false,
  read(input) {
    const point = pointFrom(input);
    return (locator) => locator.byCoordinates(point);
  },
  logFieldsOf({ lat, lon }) {
    const isPoint = isDegrees('lat', lat) && isDegrees('lon', lon);
    const [latitude, longitude] = isPoint ? [Number(lat), Number(lon)] : [null, null];
    return { city: null, country: null, latitude, longitude };
  },
};

export const BY_AIRPORT: LocationWay = {
  by: 'airport',
  suffix: '/airport',
  parameters: ['code'],
  isPublic: true,
  isBody: false,
  read(input) {
    const code = codeFrom(input);
    return (locator) => locator.byCode(code);
  },
  logFieldsOf: ({ code }) => ({ city: null, country: null, code: loggable(code) }),
};

/** The ways to name a location in a query, or in a call of a tool. */
export const LOCATION_WAYS: readonly LocationWay[] = [BY_NAME, BY_COORDINATES, BY_AIRPORT];
