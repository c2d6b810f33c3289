import type { Context } from 'koa';
import { createHash } from 'node:crypto';
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
/** Files that the build writes into `dist`, by the path of a request. */
const BUILT_FILES = {
  '/apispec.json': 'apispec.json',
  '/openapi.json': 'openapi.json',
  '/llms.txt': 'llms.txt',
  [`${PAGE}third-party-notices.txt`]: 'THIRD-PARTY-NOTICES.txt',
};

/** Files of swagger-ui-dist, by the name that the page requests. */
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

/** The link to fonts of another company, which would disclose each reader's IP address. The viewport, which is missing, replaces it. */
const FONTS = /<link href="https:\/\/fonts\.googleapis\.com\/[^>]*>/;
const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';

/** Sends requests to the folder above the page: OpenAPI 2.0 has no paths that are relative to its own address. */
const BEHIND_PREFIX = `(request) => {
  const { origin, href } = new URL('..', location.href);
  if (!request.loadSpec) request.url = request.url.replace(origin + '/', href);
  return request;
}`;

/** Replaces the link within each button, which a screen reader cannot reach, by its text. */
const NO_LINK_IN_BUTTON = '() => ({ components: { DeepLink: ({ text }) => text } })';

/** Creates the routes of the documentation page, its assets, and the API description. The page works without internet. */
export function docsRoutes(): Route[] {
  // Relative, so that it is right behind a path prefix.
  const to = `.${PAGE}`;
  const redirect = answerOf(301, 'text/html; charset=utf-8', `Redirecting to ${to}.`, {
    Location: to,
  });
  return [
    { method: 'get', paths: [PAGE_WITHOUT_SLASH], isUncounted: true, answer: () => redirect },
    resourceRoute(PAGE, renderPage),
    ...Object.entries(BUILT_FILES).map(([path, file]) =>
      resourceRoute(path, () => resourceOf(fileURLToPath(new URL(file, DIST)))),
    ),
    ...Object.entries(SWAGGER_UI_FILES).map(([name, file]) =>
      resourceRoute(`${PAGE}assets/${name}`, () => resourceOf(join(swaggerUiFolder(), file))),
    ),
  ];
}

/** A route whose resource is read at its first request: most replicas never receive one, and the files take memory. */
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

/** Renders the documentation page. Its addresses are relative, so that it works behind a path prefix. */
async function renderPage(): Promise<Resource> {
  // Before the import: if no file can be opened, this fails, and can be repeated. Node.js never repeats a failed import.
  const styles = await readFile(new URL('http/docs/docs.css', DIST), 'utf8');
  // Imported here, because it loads Handlebars and Lodash.
  const { koaSwagger } = await import('koa2-swagger-ui');
  const response: { path: string; body?: unknown } = { path: '' };
  const render = koaSwagger({
    title: 'Weather lookup service',
    routePrefix: false,
    favicon: 'assets/favicon-32x32.png',
    // The template joins these two by a slash.
    swaggerCdnUrl: '.',
    swaggerVersion: 'assets',
    customCSS: styles,
    swaggerOptions: {
      // OpenAPI 2.0: for a description in 3.1, Swagger UI takes eight times as long to show all operations.
      url: '../apispec.json',
      deepLinking: true,
      displayRequestDuration: true,
      // The default theme has numbers with too little contrast.
      syntaxHighlight: { theme: 'tomorrow-night' },
      // By default, the page sends the description to a validator on the internet.
      validatorUrl: null,
      requestInterceptor: BEHIND_PREFIX,
      plugins: NO_LINK_IN_BUTTON,
    },
  });
  await render(response as Context, () => Promise.resolve());
  const html = String(response.body).replace(FONTS, VIEWPORT);
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  // Only the inline script that the page has now, and inline styles.
  const headers = pageHeaders(
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "form-action 'none'",
  );
  return createResource('.html', Buffer.from(html), headers);
}
