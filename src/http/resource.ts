import type { Context } from 'koa';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { loadOnce } from './load-once.js';
import { notModified } from './not-modified.js';

/** Responds to a GET or HEAD with a body that does not change while the process runs. */
export type Resource = (ctx: Context) => Promise<void>;

const compress = promisify(gzip);

/**
 * Serves a body from memory: compressed if the client accepts it, and 304 if the client already has it.
 * @param extension determines the content type, such as `.html`
 * @param headers further headers of the response
 */
export function createResource(
  extension: string,
  body: Buffer,
  headers: Record<string, string> = {},
): Resource {
  // Weak: the compressed and the plain representation have the same tag.
  const tag = `W/"${createHash('sha256').update(body).digest('base64url')}"`;
  const compressible = extension !== '.png';
  // Compressed by the first request that accepts it, in another thread.
  const gzipped = loadOnce(() => compress(body));

  return async (ctx) => {
    ctx.set({
      ETag: tag,
      // Clients revalidate for each use, so they receive a new release at once. For an unchanged
      // file, they receive a 304.
      'Cache-Control': 'public, no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    });
    ctx.vary('Accept-Encoding');
    if (notModified(ctx, tag)) {
      ctx.status = 304;
      return;
    }
    ctx.status = 200;
    ctx.type = extension;
    if (compressible && ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = await gzipped();
    } else {
      ctx.body = body;
    }
  };
}
