import type { Context } from 'koa';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';

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
 * @param addresses.description path of the OpenAPI document
 * @param addresses.favicon path of the icon
 * @param addresses.assets path, without a final slash, of the folder of `swagger-ui.min.css`,
 *   `swagger-ui-bundle.js`, and `swagger-ui-standalone-preset.js`
 * @throws Error if koa2-swagger-ui has another template than expected
 */
export async function renderPage(addresses: {
  description: string;
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
    customCSS: CSS,
    swaggerOptions: {
      url: addresses.description,
      deepLinking: true,
      displayRequestDuration: true,
      // By default, the page sends the description to a validator on the internet.
      validatorUrl: null,
      // The template inserts this text as code.
      onComplete: FOLLOW_COLOR_SCHEME,
    },
  });
  await render(response as Context, () => Promise.resolve());
  const html = harden(String(response.body), addresses.description);
  return { html, contentSecurityPolicy: policyFor(html) };
}

// The first rule replaces the style attribute that `harden` removes.
const CSS = `
    body > svg { position: absolute; width: 0; height: 0; }
    html.dark-mode body { background: #1c2022; }
    .swagger-ui .info { margin: 32px 0; }
    .swagger-ui .info .markdown p { max-width: 90ch; margin-left: 0; }
  `;

const FOLLOW_COLOR_SCHEME = `() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
    dark.addEventListener('change', follow);
    follow();
  }`;

function harden(html: string, description: string): string {
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
        `<a href="${description}">${description}</a></noscript>`,
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
