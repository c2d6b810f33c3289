import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'koa';
import { koaSwagger } from 'koa2-swagger-ui';

/** The link to fonts of another company, which would learn each reader's IP address. */
const FONTS = /<link href="https:\/\/fonts\.googleapis\.com\/[^>]*>/;
const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';

/** Sends requests to the folder above the page: OpenAPI 2.0 has no relative paths. */
const BEHIND_PREFIX = `(request) => {
  const { origin, href } = new URL('..', location.href);
  if (!request.loadSpec) request.url = request.url.replace(origin + '/', href);
  return request;
}`;

/** Replaces the link within each button, which a screen reader cannot reach, by its text. */
const NO_LINK_IN_BUTTON = '() => ({ components: { DeepLink: ({ text }) => text } })';

/** Renders the documentation page by koa2-swagger-ui. @param root the folder of the repository */
export async function docsPage(root: string): Promise<string> {
  const render = koaSwagger({
    title: 'Weather lookup service',
    routePrefix: false,
    favicon: 'assets/favicon-32x32.png',
    // The template joins these two by a slash.
    swaggerCdnUrl: '.',
    swaggerVersion: 'assets',
    customCSS: readFileSync(join(root, 'src/http/docs/docs.css'), 'utf8'),
    swaggerOptions: {
      // OpenAPI 2.0: for a description in 3.1, Swagger UI takes eight times as long to show all
      // operations.
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
  const response: { path: string; body?: unknown } = { path: '' };
  await render(response as Context, () => Promise.resolve());
  return String(response.body).replace(FONTS, VIEWPORT);
}
