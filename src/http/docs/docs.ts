import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
// The main file of the package would run the whole browser bundle in this process.
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { DIST } from '../../dist-folder.js';
import { answerOf } from '../answer.js';
import { loadOnce } from '../load-once.js';
import { createResource, pageHeaders, type Resource } from '../resource.js';
import type { Route } from '../context.js';

const PAGE = '/apidocs/';
const PAGE_WITHOUT_SLASH = '/apidocs';
/** Files in `dist`, by the path of a request. */
const BUILT_FILES = {
  '/apispec.json': 'apispec.json',
  '/openapi.json': 'openapi.json',
  '/llms.txt': 'llms.txt',
  [`${PAGE}third-party-notices.txt`]: 'THIRD-PARTY-NOTICES.txt',
};

/** Crawlers of search engines would spend the limits on the API. */
const ROBOTS = 'User-agent: *\nDisallow: /api/\nDisallow: /mcp\n';

/** Files of swagger-ui-dist, by their names in the page. */
const SWAGGER_UI_FILES = {
  // koa2-swagger-ui uses the name that a CDN has. The file is minified.
  'swagger-ui.min.css': 'swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js': 'swagger-ui-standalone-preset.js',
  // The first lines of the scripts refer to these two.
  'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui-standalone-preset.js.LICENSE.txt': 'swagger-ui-standalone-preset.js.LICENSE.txt',
  'favicon-32x32.png': 'favicon-32x32.png',
};

/** Creates the routes of the documentation page and the API description, which need no internet. */
export function docsRoutes(): Route[] {
  // Relative, so that it is right behind a path prefix.
  const to = `.${PAGE}`;
  const redirect = answerOf(301, 'text/html; charset=utf-8', `Redirecting to ${to}.`, {
    Location: to,
  });
  return [
    { method: 'get', paths: [PAGE_WITHOUT_SLASH], isUncounted: true, answer: () => redirect },
    resourceRoute(PAGE, readPage),
    resourceRoute('/robots.txt', () =>
      Promise.resolve(createResource('.txt', Buffer.from(ROBOTS))),
    ),
    ...Object.entries(BUILT_FILES).map(([path, file]) =>
      resourceRoute(path, () => resourceOf(fileURLToPath(new URL(file, DIST)))),
    ),
    ...Object.entries(SWAGGER_UI_FILES).map(([name, file]) =>
      resourceRoute(`${PAGE}assets/${name}`, () => resourceOf(join(swaggerUiFolder(), file))),
    ),
  ];
}

/** A route whose resource is read at its first request: most replicas never receive one. */
function resourceRoute(path: string, read: () => Promise<Resource>): Route {
  const load = loadOnce(read);
  return {
    method: 'get',
    paths: [path],
    isUncounted: true,
    answer: async (ctx) => (await load())(ctx),
  };
}

async function resourceOf(file: string): Promise<Resource> {
  return createResource(extname(file), await readFile(file));
}

/** The documentation page. Its addresses are relative, so that it works behind a path prefix. */
async function readPage(): Promise<Resource> {
  const html = await readFile(new URL('docs-page.html', DIST), 'utf8');
  const headers = pageHeaders(
    html,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "form-action 'none'",
  );
  return createResource('.html', Buffer.from(html), headers);
}
