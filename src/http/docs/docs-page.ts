import type { Context } from 'koa';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';

/** The documentation page, and the policy under which a browser may run it. */
export interface Page {
  html: string;
  /** Value of the `Content-Security-Policy` header. */
  contentSecurityPolicy: string;
}

/**
 * Renders the interactive documentation page with koa2-swagger-ui, once.
 *
 * Its middleware is not mounted as it is, because its page loads fonts from Google, carries a style
 * attribute that no hash in a policy covers, and would answer any path that *ends* in its prefix,
 * with any method. So its answer is captured here, and those two pieces are taken out. Swagger UI's
 * dark colours belong to the bar that is hidden here, so the page asks for them itself.
 *
 * @param addresses.description path of the OpenAPI document
 * @param addresses.favicon path of the icon
 * @param addresses.assets path, without a slash at its end, of the folder of `swagger-ui.min.css`,
 *   `swagger-ui-bundle.js` and `swagger-ui-standalone-preset.js`
 * @throws Error when the template of koa2-swagger-ui is not the one that this was written for
 */
export async function renderPage(addresses: {
  description: string;
  favicon: string;
  assets: string;
}): Promise<Page> {
  // It brings Handlebars and Lodash along.
  const { koaSwagger } = await import('koa2-swagger-ui');
  const answer: { path: string; body?: unknown } = { path: '' };
  const render = koaSwagger({
    title: 'Weather lookup service',
    // It answers on every path: there is only the one call below.
    routePrefix: false,
    hideTopbar: true,
    favicon: addresses.favicon,
    // The template joins these two with a slash.
    swaggerCdnUrl: posix.dirname(addresses.assets),
    swaggerVersion: posix.basename(addresses.assets),
    customCSS: CSS,
    swaggerOptions: {
      url: addresses.description,
      deepLinking: true,
      displayRequestDuration: true,
      withCredentials: true,
      // Else the page sends the description to a validator on the internet.
      validatorUrl: null,
      // The template writes it as code.
      onComplete: FOLLOW_COLOURS,
    },
  });
  await render(answer as Context, () => Promise.resolve());
  const html = harden(String(answer.body), addresses.description);
  return { html, contentSecurityPolicy: policyFor(html) };
}

// The first rule stands for the style attribute that `harden` removes.
const CSS = `
    body > svg { position: absolute; width: 0; height: 0; }
    html.dark-mode body { background: #1c2022; }
    .swagger-ui .info { margin: 32px 0; }
    .swagger-ui .info .markdown p { max-width: 90ch; margin-left: 0; }
  `;

const FOLLOW_COLOURS = `() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
    dark.addEventListener('change', follow);
    follow();
  }`;

function harden(html: string, description: string): string {
  const replacements: [RegExp, string][] = [
    [/^ *<link href="https:\/\/fonts\.googleapis\.com[^>]*>\n/m, ''],
    [/(<svg [^>]*?) style="[^"]*"/, '$1'],
    // For Internet Explorer, which Swagger UI does not support; phones need the other.
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

/** Nothing but this origin, and of inline code only what the page carries now. */
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
