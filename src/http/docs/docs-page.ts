import type { Context } from 'koa';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { SERVICE_REPOSITORY } from '../../base/version.js';
import { DOCS_CSS } from './docs-css.js';

/** The document for authors of clients. */
const CLIENTS = `${SERVICE_REPOSITORY}/blob/main/docs/clients.md`;

/** The documentation page, and its content security policy. */
export interface Page {
  html: string;
  /** Value of the `Content-Security-Policy` header. */
  contentSecurityPolicy: string;
}

/**
 * Renders the interactive documentation page with koa2-swagger-ui.
 *
 * The middleware of the package is not mounted, because its page loads fonts from Google, has a style attribute that
 * no hash in a policy covers, and responds to every path that ends with its prefix, with every method. Instead, its
 * response is captured once, and these two parts are removed. The switch of Swagger UI for dark colors is in its top
 * bar, which is hidden here, so the page follows the color scheme of the browser.
 *
 * @param addresses of other files, relative to the page, which may be behind a path prefix
 * @param addresses.description the OpenAPI document
 * @param addresses.text the description in plain text
 * @param addresses.favicon the icon
 * @param addresses.assets the folder, without a final slash, of `swagger-ui.min.css`,
 *   `swagger-ui-bundle.js`, and `swagger-ui-standalone-preset.js`
 * @throws Error if koa2-swagger-ui has another template than expected
 */
export async function renderPage(addresses: {
  description: string;
  text: string;
  favicon: string;
  assets: string;
}): Promise<Page> {
  // Imported here, because it loads Handlebars and Lodash.
  const { koaSwagger } = await import('koa2-swagger-ui');
  const response: { path: string; body?: unknown } = { path: '' };
  const render = koaSwagger({
    title: 'Weather lookup service',
    // The middleware responds to every path. It is called only once, below.
    routePrefix: false,
    hideTopbar: true,
    favicon: addresses.favicon,
    // The template joins these two by a slash.
    swaggerCdnUrl: posix.dirname(addresses.assets),
    swaggerVersion: posix.basename(addresses.assets),
    customCSS: DOCS_CSS,
    swaggerOptions: {
      url: addresses.description,
      deepLinking: true,
      displayRequestDuration: true,
      // The default theme has numbers with too little contrast.
      syntaxHighlight: { theme: 'tomorrow-night' },
      // By default, the page sends the description to a validator on the internet.
      validatorUrl: null,
      // The template inserts these texts as code.
      onComplete: ON_COMPLETE,
      plugins: ADAPT,
    },
  });
  await render(response as Context, () => Promise.resolve());
  const html = harden(String(response.body), addresses);
  return { html, contentSecurityPolicy: policyFor(html) };
}

/**
 * Adapts the description to the address of the page: the examples have it, and requests go to the same path prefix. The
 * session is not shown: the browser sends its cookie itself, so the button "Authorize" would have no use. The name of an
 * operation is no link, because it is in a button. The address still follows the open operation.
 */
const ADAPT = `() => ({
    wrapComponents: {
      InfoContainer: (Original, { React }) => (properties) =>
        React.createElement('div', { role: 'banner' }, React.createElement(Original, properties)),
      DeepLink: (original, { React }) => ({ text }) => React.createElement('span', null, text),
    },
    statePlugins: { spec: { wrapActions: { updateSpec: (update) => (text) => {
      const description = JSON.parse(text);
      const { origin, pathname } = new URL('..', location.href);
      description.basePath = pathname;
      description.info.description =
        description.info.description.replaceAll('http://localhost:8080/', origin + pathname);
      delete description.securityDefinitions;
      for (const path of Object.values(description.paths)) {
        for (const operation of Object.values(path)) delete operation.security;
      }
      return update(JSON.stringify(description));
    } } } },
  })`;

/**
 * Follows the color scheme of the browser, and gives the tables of the open operations different names: each table is a
 * landmark.
 */
const ON_COMPLETE = `() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
    dark.addEventListener('change', follow);
    follow();
    const name = () => {
      for (const table of document.querySelectorAll('table[role=region]:not([aria-label])')) {
        table.setAttribute('aria-label', table.id.replaceAll('_', ' '));
      }
    };
    new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
  }`;

function harden(
  html: string,
  { description, text }: { description: string; text: string },
): string {
  const replacements: [RegExp, string][] = [
    [/^ *<link href="https:\/\/fonts\.googleapis\.com[^>]*>\n/m, ''],
    [/(<svg [^>]*?) style="[^"]*"/, '$1'],
    // The first tag is for Internet Explorer, which Swagger UI does not support. Phones need the second.
    [
      /<meta http-equiv="X-UA-Compatible"[^>]*>/,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ],
    [
      /<div id="swagger-ui"><\/div>/,
      '$&\n<noscript>This page needs JavaScript; the description does not: ' +
        `<a href="${description}">${description}</a></noscript>\n` +
        '<footer>Limits, errors, sessions, caching, and credits: ' +
        `<a href="${text}">the description in plain text</a>. ` +
        `Examples in curl, JavaScript, and Python: <a href="${CLIENTS}">for clients</a>.</footer>`,
    ],
  ];
  return replacements.reduce((page, [pattern, replacement]) => {
    if (!pattern.test(page)) throw new Error('the template of koa2-swagger-ui has changed');
    return page.replace(pattern, replacement);
  }, html);
}

/** Returns a policy that allows only this origin, and only the inline code that the page has now. */
function policyFor(html: string): string {
  const hashes = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))]
      .map(([, code]) => ` 'sha256-${createHash('sha256').update(String(code)).digest('base64')}'`)
      .join('');
  return [
    `default-src 'none'`,
    `script-src 'self'${hashes('script')}`,
    `style-src 'self'${hashes('style')}`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
