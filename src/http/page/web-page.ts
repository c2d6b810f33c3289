import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { DIST } from '../../dist-folder.js';
import { errorAnswer, pathNotFound } from '../error-answers.js';
import { createResource, pageHeaders, type Resource } from '../resource.js';
import type { Route } from '../context.js';

/** The folder into which the build writes the page. */
const FOLDER = new URL('http/page/browser/', DIST);

/** The files of the page, under `/page/`. */
export const PAGE_ASSETS = ['icon.svg', 'icon.png', 'page.css', 'main.js', 'chunk.js', 'place.js'];

/** Allows no inline code. */
const POLICY = ["script-src 'self'", "style-src 'self'", "img-src 'self'", "form-action 'self'"];

/**
 * The routes of the web page at `/`, for clients that prefer HTML; others, such as curl, get a 404. Reads its files once.
 */
export function pageRoutes(): Route[] {
  const vary = { Vary: 'Origin, Accept' };
  const page = resourceOf('index.html', { ...pageHeaders(...POLICY), ...vary });
  const noPage = errorAnswer(pathNotFound(vary));
  return [
    {
      method: 'get',
      paths: ['/'],
      // `*/*`, which curl sends, matches the first type: not the page.
      answer: (ctx) => (ctx.accepts('json', 'html') === 'html' ? page(ctx) : noPage),
    },
    ...PAGE_ASSETS.map((name): Route => ({
      method: 'get',
      paths: [`/page/${name}`],
      answer: resourceOf(name),
    })),
  ];
}

function resourceOf(name: string, headers?: Record<string, string>): Resource {
  return createResource(extname(name), readFileSync(new URL(name, FOLDER)), headers);
}
