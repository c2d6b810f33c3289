import { attributionOf } from '../config/providers.js';
import { abilityOf } from '../weather/kinds/kinds.js';
import { text, type HeaderTable } from './description/schemas.js';
import { contextOf, type Found } from './finder.js';

/** The headers of every response with data about a location, besides those about its caching. */
export const DATA_HEADERS: HeaderTable<[found: Found]> = {
  'X-Cache': {
    schema: text(
      'HIT: from the cache. MISS: not in the cache; this request waited for a fetch. COALESCED: as MISS, but another ' +
        'request already waited for that fetch. STALE: older data, because no fetch succeeded in time.',
      { enum: ['HIT', 'MISS', 'COALESCED', 'STALE'], examples: ['MISS'] },
    ),
    valueFor: ({ outcome }) => outcome,
  },
  'X-Weather-Provider': {
    schema: text('The provider of the data.', { examples: ['open-meteo'] }),
    valueFor: ({ entry }) => entry.provider,
  },
  'X-Weather-Attribution': {
    schema: text(
      'The attribution to show next to the data: text and link of the source. For the `demo` provider, it says that ' +
        'the weather is invented.',
      { examples: [attributionOf('open-meteo', 'current')] },
    ),
    valueFor: ({ query, entry }) => attributionOf(entry.provider, abilityOf(query.endpoint.kind)),
    isOptional: true,
  },
};

/** Returns the headers of a response with data, except those about its caching. */
export function dataHeaders(found: Found): Record<string, string | undefined> {
  const { headers: own = {} } = found.query.endpoint;
  const context = contextOf(found);
  const values: Record<string, string | undefined> = {};
  for (const name in DATA_HEADERS) values[name] = DATA_HEADERS[name]?.valueFor(found);
  for (const name in own) values[name] = own[name]?.valueFor(found.entry.value as object, context);
  return values;
}
