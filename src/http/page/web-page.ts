import type Router from '@koa/router';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { AppContext, RequestState } from '../context.js';
import { notFound } from '../errors.js';
import { createResource, type Resource } from '../resource.js';

/** Where the build writes the page. The path is right from `src/http/page` and `dist/http/page`. */
const FOLDER = new URL('../../../dist/http/page/browser/', import.meta.url);

/** What the page asks for, under `/page/`. */
export const PAGE_ASSETS = ['icon.svg', 'page.css', 'main.js'];

/** Browsers send a tenth of it. Doubled: a hostile list takes twice as long to compare. */
const MAX_ACCEPT_LENGTH = 1000;

/** Nothing but this origin, and no inline code at all. */
const CONTENT_SECURITY_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `connect-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/**
 * The page for people at `/`: only for a client that asks for HTML. For any other, such as curl,
 * there is nothing at `/`. Its files are read here, once.
 */
export function pageRoutes(router: Router<RequestState>): void {
  const page = resourceOf('index.html', {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'no-referrer',
  });
  router.get('/', async (ctx: AppContext) => {
    ctx.vary('Accept');
    // Of `*/*`, which curl sends, the first is taken: not the page.
    const isBounded = ctx.get('Accept').length <= MAX_ACCEPT_LENGTH;
    if (!isBounded || ctx.accepts('json', 'html') !== 'html') throw notFound();
    await page(ctx);
  });
  for (const name of PAGE_ASSETS) router.get(`/page/${name}`, resourceOf(name));
}

function resourceOf(name: string, headers?: Record<string, string>): Resource {
  return createResource(extname(name), readFileSync(new URL(name, FOLDER)), headers);
}
