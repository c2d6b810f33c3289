import { LRUCache } from 'lru-cache';
import type { AppContext } from './context.js';
import { placeFromQuery, type PlaceInput } from './validate.js';

/** Most requests spell a place as others did before. With the limit below, their query strings take 1 MB at most. */
const MAX_REMEMBERED = 1000;
/** Longer query strings are not remembered. */
const MAX_LENGTH = 1000;

/** City and country of requests, by their query strings. */
export interface PlaceQueries {
  /** @throws InvalidInputError */
  read(ctx: AppContext): PlaceInput;
  /** The same where it is remembered. */
  known(ctx: AppContext): PlaceInput | undefined;
}

/** Remembers what was read, and only what is valid. */
export function createPlaceQueries(): PlaceQueries {
  const remembered = new LRUCache<string, PlaceInput>({ max: MAX_REMEMBERED });
  const known = (ctx: AppContext) => remembered.get(ctx.querystring);
  return {
    known,
    read(ctx) {
      const before = known(ctx);
      if (before) return before;
      const place = placeFromQuery(ctx.query);
      if (ctx.querystring.length <= MAX_LENGTH) remembered.set(ctx.querystring, place);
      return place;
    },
  };
}
