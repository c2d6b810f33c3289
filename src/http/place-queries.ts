import { LRUCache } from 'lru-cache';
import { InvalidInputError } from '../errors.js';
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
  /** The same where it is valid. */
  find(ctx: AppContext): PlaceInput | undefined;
  /** The same where it is remembered. */
  known(ctx: AppContext): PlaceInput | undefined;
}

/** Remembers what was read, and only what is valid. */
export function createPlaceQueries(): PlaceQueries {
  const remembered = new LRUCache<string, PlaceInput>({ max: MAX_REMEMBERED });
  const known = (ctx: AppContext) => remembered.get(ctx.querystring);

  function read(ctx: AppContext): PlaceInput {
    const before = known(ctx);
    if (before) return before;
    const place = placeFromQuery(ctx.query);
    if (ctx.querystring.length <= MAX_LENGTH) remembered.set(ctx.querystring, place);
    return place;
  }

  return {
    read,
    find(ctx) {
      try {
        return read(ctx);
      } catch (error) {
        if (error instanceof InvalidInputError) return undefined;
        throw error;
      }
    },
    known,
  };
}
