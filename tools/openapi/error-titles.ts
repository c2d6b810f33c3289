import { LOCATION_ENDPOINTS } from '../../src/http/endpoints/location-routes.js';
import { LIMIT_PARAMETER } from '../../src/http/endpoints/suggestions.js';
import { missingRow, nameFaults, PLACE_FAULTS, POINT_FAULTS, rangeFaults } from './input-rules.js';
import { sharedResponses } from './responses.js';

/** Titles of errors that belong to no operation: of HTTP itself, and of `POST /mcp`. */
const OF_HTTP = ['Bad request', 'Forbidden', 'Invalid request', 'Method not allowed', 'Not found'];

/** Returns every value of `error`, in alphabetical order. The tests compare each error that they receive with it. */
export function errorTitles(): string[] {
  const faults = [
    ...PLACE_FAULTS,
    ...POINT_FAULTS,
    ...nameFaults(['q']),
    ...LOCATION_ENDPOINTS.flatMap(({ parameters }) => rangeFaults(Object.values(parameters))),
    ...rangeFaults([LIMIT_PARAMETER]),
    missingRow('parameters', ''),
    missingRow('fields', ''),
  ];
  const examples = Object.values(sharedResponses()).map(
    ({ examples }) => examples?.['application/json'] as { error: string },
  );
  // A row of a table has the titles for each name.
  const titles = [...faults, ...examples].flatMap(({ error }) => error.split(', '));
  return [...new Set([...titles, ...OF_HTTP])].sort();
}
