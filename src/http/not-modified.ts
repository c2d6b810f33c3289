import type { Context } from 'koa';

/** So many tags of a client are compared. Doubled: a hostile list takes twice as long. */
const MAX_TAGS = 50;
const ENTITY_TAGS = /(?:W\/)?("[^"]*")/g;

/**
 * Whether the client has this representation already, by `If-None-Match` (RFC 9110, 13.1.2): then
 * the answer is 304.
 *
 * Koa's `fresh` says no to every request with `Cache-Control: no-cache`, which the standard does not
 * know; `fetch` sends that with each `If-None-Match` of its caller, and would never see a 304.
 * @param tag the `ETag` of the response
 */
export function notModified(ctx: Context, tag: string): boolean {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return false;
  const condition = ctx.get('If-None-Match').trim();
  if (condition === '') return false;
  if (condition === '*') return true;
  const own = opaqueTags(tag).next().value;
  let looked = 0;
  for (const known of opaqueTags(condition)) {
    if (known === own) return true;
    if (++looked === MAX_TAGS) return false;
  }
  return false;
}

/** Compared weakly: what stands before the quotes does not matter. */
function* opaqueTags(text: string): Generator<string | undefined, undefined> {
  for (const [, opaque] of text.matchAll(ENTITY_TAGS)) yield opaque;
}
