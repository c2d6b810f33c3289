import type { Context } from 'koa';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DIST } from '../../dist-folder.js';
import { createResource, type Resource } from '../resource.js';

/** The address of a company that the page does not need, and would send each reader's IP address to. */
const FONTS = /<link href="https:\/\/fonts\.googleapis\.com\/[^>]*>/;
const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';

/** Sends requests to the folder above the page: OpenAPI 2.0 has no paths that are relative to its own address. */
const BEHIND_PREFIX = `(request) => {
  const { origin, href } = new URL('..', location.href);
  if (!request.loadSpec) request.url = request.url.replace(origin + '/', href);
  return request;
}`;

/** A plugin of Swagger UI for screen readers: no link within a button, and landmarks with different names. */
const PLUGIN = `() => ({
  components: { DeepLink: ({ text }) => text },
  wrapComponents: {
    InfoContainer: (Original, { React }) => (properties) =>
      React.createElement('section', { 'aria-label': 'Introduction' }, React.createElement(Original, properties)),
  },
  afterLoad() {
    const nameTables = () => {
      for (const table of document.querySelectorAll('table[role=region]')) {
        table.ariaLabel = table.id.replaceAll('_', ' ');
      }
    };
    new MutationObserver(nameTables).observe(document.body, { childList: true, subtree: true });
  },
})`;

/** Renders the documentation page. Its addresses are relative, so that it works behind a path prefix. */
export async function renderPage(): Promise<Resource> {
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
      plugins: PLUGIN,
    },
  });
  await render(response as Context, () => Promise.resolve());
  const html = String(response.body).replace(FONTS, VIEWPORT);
  return createResource('.html', Buffer.from(html), {
    'Content-Security-Policy': policyFor(html),
    'Referrer-Policy': 'no-referrer',
  });
}

/** Returns a policy that allows this origin, the inline script that the page has now, and inline styles. */
function policyFor(html: string): string {
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    `default-src 'none'`,
    `script-src 'self' 'sha256-${hash}'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
