import type { Context } from 'koa';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { answerOf, type Answer } from './answer.js';
import { loadOnce } from './load-once.js';

/** Answers a GET or HEAD with a body that does not change while the process runs. */
export type Resource = (ctx: Context) => Promise<Answer>;

const compress = promisify(gzip);

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Serves a body from memory, compressed if the client accepts it. @param extension `.html`, … */
export function createResource(
  extension: string,
  body: Buffer,
  headers: Record<string, string> = {},
): Resource {
  const type = TYPES[extension];
  if (type === undefined) throw new Error(`No content type is known for ${extension}`);
  const { Vary: vary = 'Origin' } = headers;
  // Weak: the compressed and the plain representation have the same tag.
  const tag = `W/"${createHash('sha256').update(body).digest('base64url')}"`;
  const plain = {
    ...answerOf(200, type, body, {
      // Clients revalidate for each use, so they receive a new release at once.
      'Cache-Control': 'public, no-cache',
      ...headers,
      ETag: tag,
      Vary: `${vary}, Accept-Encoding`,
    }),
    tag,
  };
  if (extension === '.png') return () => Promise.resolve(plain);
  // Compressed by the first request that accepts it, in another thread.
  const compressed = loadOnce(async () => {
    const gzipped = await compress(body);
    const { content } = answerOf(200, type, gzipped);
    return { ...plain, content: [...content, 'Content-Encoding', 'gzip'], body: gzipped };
  });
  return (ctx) =>
    ctx.acceptsEncodings('gzip', 'identity') === 'gzip' ? compressed() : Promise.resolve(plain);
}

/**
 * Returns the headers of an HTML page of this origin only, which runs no inline script except its
 * first one.
 * @param own further directives
 */
export function pageHeaders(html: string, ...own: string[]): Record<string, string> {
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(html) ?? [];
  const scriptHash = createHash('sha256').update(script).digest('base64');
  const common = [
    ...["default-src 'none'", "connect-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
    `script-src 'self' 'sha256-${scriptHash}'`,
  ];
  return {
    'Content-Security-Policy': [...common, ...own].join('; '),
    'Referrer-Policy': 'no-referrer',
  };
}
