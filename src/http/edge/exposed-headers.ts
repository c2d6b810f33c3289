import { DATA_HEADERS } from '../data-headers.js';
import { LOCATION_ENDPOINTS } from '../endpoints/location-routes.js';

/** Browsers let every page read it. */
const SAFELISTED = 'Content-Language';
const OF_ENDPOINTS = LOCATION_ENDPOINTS.flatMap(({ headers = {} }) => Object.keys(headers));

/** The response headers that pages of an allowed origin may read. */
export const EXPOSED_HEADERS = [
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['RateLimit-Policy', 'RateLimit', 'Retry-After', 'X-Request-ID', 'Age', 'ETag', 'Link'],
  ...Object.keys(DATA_HEADERS),
  ...new Set(OF_ENDPOINTS.filter((name) => name !== SAFELISTED)),
  'X-Weather-Ignored-Parameters',
].join(', ');
