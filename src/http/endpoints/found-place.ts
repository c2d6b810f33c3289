import type { Place } from '../../weather/types.js';
import {
  decimal,
  LATITUDE,
  LONGITUDE,
  orNull,
  objectSchema,
  text,
  withOptional,
  type ValueOf,
} from '../description/schemas.js';

const PLACE_BY_NAME = objectSchema('FoundPlace', {
  city: [
    text('The usual English name; as in the request if only the geocoder knows the place.'),
    'Seattle',
  ],
  region: [
    orNull(text('The state or province, in English; null if it is not known.')),
    'Washington',
  ],
  country: [text('The usual English name.'), 'United States'],
  country_code: [text('ISO 3166-1 alpha-2; XK for Kosovo.', { pattern: '^[A-Z]{2}$' }), 'US'],
  latitude: [
    decimal(
      'Latitude of the place, in decimal degrees. For a request by coordinates, the data is for ' +
        'the coordinates in `location`.',
      LATITUDE,
    ),
    47.60621,
  ],
  longitude: [decimal('Longitude of the place, in decimal degrees.', LONGITUDE), -122.33207],
  timezone: [
    text('IANA name of the time zone of all dates and times of the response.'),
    'America/Los_Angeles',
  ],
});

/** The member `place` of a response: the place that was found. */
export const PLACE = withOptional(PLACE_BY_NAME, {
  airport: orNull(text('By code only: the name of the airport; null for a city.')),
  code: text('By code only: the code of the request, in capital letters.'),
});

/** An example of a place by code. */
export const AIRPORT_EXAMPLE = {
  ...PLACE.example,
  ...{ latitude: 47.4492, longitude: -122.3111 },
  ...{ airport: 'Seattle–Tacoma International Airport', code: 'SEA' },
};

export function placeOf(place: Place, timeZone: string): ValueOf<typeof PLACE> {
  const { city, region, country, countryCode, latitude, longitude, code, airport } = place;
  return {
    city,
    region: region ?? null,
    country,
    country_code: countryCode,
    latitude,
    longitude,
    timezone: timeZone,
    ...(code !== undefined && { airport: airport ?? null, code }),
  };
}
