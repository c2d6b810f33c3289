import type { Context } from 'koa';

/**
 * Returns whether the client already has this representation, by `If-None-Match` (RFC 9110, 13.1.2): the response is
 * then 304.
 *
 * Koa's `fresh` returns false for every request with `Cache-Control: no-cache`. `fetch` sends that header with
 * each `If-None-Match`, and would never receive a 304.
 * @param tag the `ETag` of the response. Tags are compared weakly: without their `W/`
 */
export function notModified({ method, req }: Context, tag: string): boolean {
  const condition = req.headers['if-none-match'];
  if (condition === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  // The tags of this service contain no quotes inside, so a tag with its quotes matches only as a
  // whole.
  return condition.trim() === '*' || condition.includes(tag.replace('W/', ''));
}
