import { createLru } from '../lru.js';
import { MAX_NEAR_ENTRIES } from '../weather/cache-entry.js';
import type { AppContext } from './context.js';
import { queryOf } from './target.js';
import { placeFromQuery, type PlaceInput } from './validate.js';

/** Longer query strings are not remembered. So they take 5 MB at most, and 1 MB as people write them. */
const MAX_LENGTH = 250;

/** City and country of requests, by their query strings. */
export interface PlaceQueries {
  /** @throws InvalidInputError */
  read(ctx: AppContext): PlaceInput;
  /** The same where it is remembered. */
  known(ctx: AppContext): PlaceInput | undefined;
}

/** Most requests spell a place as others did before: what was read is remembered, and only what is valid. */
export function createPlaceQueries(): PlaceQueries {
  const remembered = createLru<string, PlaceInput>(MAX_NEAR_ENTRIES);
  const known = (ctx: AppContext) => remembered.get(ctx.state.target.query);

  function read(ctx: AppContext): PlaceInput {
    const before = known(ctx);
    if (before) return before;
    const { target } = ctx.state;
    const place = placeFromQuery(queryOf(target));
    if (target.query.length <= MAX_LENGTH) remembered.set(target.query, place);
    return place;
  }

  return { read, known };
}
