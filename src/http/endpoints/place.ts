import type { Place } from '../../weather/types.js';
import { decimal, nullable } from './members.js';

/** The member `place` of a response: the place that was found. */
export function placeOf(place: Place, timeZone: string) {
  const { city, region, country, countryCode, latitude, longitude } = place;
  return {
    city,
    region: region ?? null,
    country,
    country_code: countryCode,
    latitude,
    longitude,
    timezone: timeZone,
  };
}

/** The schema of `place`, by its name in the API description. */
export const PLACE_DEFINITION = {
  FoundPlace: {
    members: {
      city: {
        type: 'string',
        description:
          'The usual English name; as in the request if only the geocoder knows the place.',
      },
      region: nullable({
        type: 'string',
        description: 'The state or province, in English; null if it is not known.',
      }),
      country: { type: 'string', description: 'The usual English name.' },
      country_code: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' },
      latitude: decimal(
        'Decimal degrees: the position of the place. For a request by coordinates, the data is for ' +
          'the coordinates in `location`.',
        { minimum: -90, maximum: 90 },
      ),
      longitude: decimal('Decimal degrees, likewise.', { minimum: -180, maximum: 180 }),
      timezone: {
        type: 'string',
        description: 'IANA name of the time zone of all dates and times of the response.',
      },
    },
    example: {
      city: 'Seattle',
      region: 'Washington',
      country: 'United States',
      country_code: 'US',
      latitude: 47.60621,
      longitude: -122.33207,
      timezone: 'America/Los_Angeles',
    },
  },
};

/** The schema of the member `place`. */
export const PLACE = { $ref: '#/definitions/FoundPlace' };
