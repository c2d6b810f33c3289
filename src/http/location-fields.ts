import type { RecordFields } from './answer.js';
import type { LocationEndpoint, RequestedBy } from './endpoints/endpoint.js';
import { loggable } from './loggable.js';
import { isBounded, queryOf, type Target } from './input/request-target.js';

/** Returns the log fields of a request whose query names its location, before anything is validated. Never throws. */
export function fieldsOf(
  endpoint: LocationEndpoint,
  by: RequestedBy,
  target: Target,
): RecordFields {
  if (target.resolved) return target.resolved.fields;
  const fields = fieldsOfBody(endpoint);
  if (by === 'coordinates') return { ...fields, latitude: null, longitude: null };
  // A query that is too long is rejected after the rate limits, which count it.
  const { city, country } = isBounded(target) ? queryOf(target) : {};
  return { ...fields, city: loggable(city), country: loggable(country) };
}

/** Returns the log fields of a request whose body names its location, before the body is read. */
export function fieldsOfBody({ kind }: LocationEndpoint): RecordFields {
  return { event: 'weather_request', kind: kind.name, city: null, country: null };
}
