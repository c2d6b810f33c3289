import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
// The main file of the package runs the whole browser bundle in this process, so it is not
// imported.
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { DIST } from '../../dist-folder.js';
import { answerOf } from '../answer.js';
import { loadOnce } from '../load-once.js';
import { createResource, type Resource } from '../resource.js';
import type { Route } from '../route.js';
import { renderPage } from './docs-page.js';

const PAGE = '/apidocs/';
const PAGE_WITHOUT_SLASH = '/apidocs';
/** Files that the build writes into `dist`, by the path of a request. */
const BUILT = {
  '/apispec.json': 'apispec.json',
  '/openapi.json': 'openapi.json',
  '/llms.txt': 'llms.txt',
  [`${PAGE}third-party-notices.txt`]: 'THIRD-PARTY-NOTICES.txt',
};

/** Files of swagger-ui-dist, by the name that the page requests. */
const ASSETS = {
  // koa2-swagger-ui uses the name that a CDN has. The file is minified.
  'swagger-ui.min.css': 'swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js': 'swagger-ui-standalone-preset.js',
  // The first lines of the scripts refer to these two.
  'swagger-ui-bundle.js.LICENSE.txt': 'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui-standalone-preset.js.LICENSE.txt': 'swagger-ui-standalone-preset.js.LICENSE.txt',
  'favicon-32x32.png': 'favicon-32x32.png',
};

/** Every path of the documentation that has a file. */
const FILE_PATHS = [PAGE, ...Object.keys(BUILT), ...Object.keys(ASSETS).map(assetPath)];

/**
 * The routes of the interactive documentation page, its assets, and the API description in OpenAPI 2.0, in OpenAPI 3.1, and
 * as plain text. Every file comes from this process, so the page works without internet.
 */
export function docsRoutes(): Route[] {
  // The files are read at the first request. Most replicas never receive one, and the files take a
  // tenth of the memory and of the time to start.
  const resources = loadOnce(readResources);
  // Relative, so that it is right behind a path prefix.
  const to = `.${PAGE}`;
  const redirect = answerOf(301, 'text/html; charset=utf-8', `Redirecting to ${to}.`, {
    Location: to,
  });
  return [
    { method: 'get', paths: [PAGE_WITHOUT_SLASH], isUncounted: true, answer: () => redirect },
    ...FILE_PATHS.map((path): Route => ({
      ...{ method: 'get', paths: [path], isUncounted: true },
      async answer(ctx) {
        const resource = (await resources()).get(path);
        if (!resource) throw new Error(`There is no file for ${path}`);
        return resource(ctx);
      },
    })),
  ];
}

async function readResources(): Promise<Map<string, Resource>> {
  const resources = new Map<string, Resource>();
  for (const [path, file] of Object.entries(BUILT)) {
    resources.set(path, createResource(extname(file), await readFile(new URL(file, DIST))));
  }
  for (const [name, file] of Object.entries(ASSETS)) {
    const body = await readFile(join(swaggerUiFolder(), file));
    resources.set(assetPath(name), createResource(extname(file), body));
  }
  // Last, because it imports a package: if an import fails while no file can be opened, Node.js never tries it again.
  const page = await renderPage(await readFile(new URL('http/docs/docs.css', DIST), 'utf8'));
  const headers = {
    'Content-Security-Policy': page.contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
  };
  return resources.set(PAGE, createResource('.html', Buffer.from(page.html), headers));
}

function assetPath(name: string): string {
  return `${PAGE}assets/${name}`;
}
