import type { Context } from 'koa';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { kept } from './memoize.js';
import { notModified } from './not-modified.js';

/** Answers a GET or HEAD with something that stays the same while the process runs. */
export type Resource = (ctx: Context) => Promise<void>;

const compress = promisify(gzip);

/**
 * Serves a body from memory, compressed for those who accept it, with 304 for those who have it.
 * @param extension stands for the content type, such as `.html`
 * @param headers further headers of the answer
 */
export function createResource(
  extension: string,
  body: Buffer,
  headers: Record<string, string> = {},
): Resource {
  // Weak: the compressed and the plain form share it.
  const tag = `W/"${createHash('sha256').update(body).digest('base64url')}"`;
  const compressible = extension !== '.png';
  // By the first request that wants it, off this thread.
  const gzipped = kept(() => compress(body));

  return async (ctx) => {
    ctx.set({
      ETag: tag,
      // Asked again each time, so an upgrade shows at once; an unchanged file costs a 304.
      'Cache-Control': 'public, no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    });
    ctx.vary('Accept-Encoding');
    ctx.status = 200;
    if (notModified(ctx, tag)) {
      ctx.status = 304;
      return;
    }
    ctx.type = extension;
    if (compressible && ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = await gzipped();
    } else {
      ctx.body = body;
    }
  };
}
