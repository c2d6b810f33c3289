import { readFile } from 'node:fs/promises';
import { extname, join, posix } from 'node:path';
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
const DESCRIPTION = '/apispec.json';
const DESCRIPTION_3 = '/openapi.json';
const ASSETS_FOLDER = `${PAGE}assets`;
const LLMS = '/llms.txt';
const NOTICES = `${PAGE}third-party-notices.txt`;
/** Files that the build writes into `dist`, by the path of a request. */
const BUILT = {
  [DESCRIPTION]: 'apispec.json',
  [DESCRIPTION_3]: 'openapi.json',
  [LLMS]: 'llms.txt',
  [NOTICES]: 'THIRD-PARTY-NOTICES.txt',
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
  // If an import fails, Node.js never tries it again. So this read fails before the first import
  // while no file can be opened.
  await readFile(new URL(import.meta.url));
  const page = await renderPage({
    description: fromPage(DESCRIPTION),
    text: fromPage(LLMS),
    favicon: fromPage(assetPath('favicon-32x32.png')),
    assets: fromPage(ASSETS_FOLDER),
  });
  const resources = new Map<string, Resource>([
    [
      PAGE,
      createResource('.html', Buffer.from(page.html), {
        'Content-Security-Policy': page.contentSecurityPolicy,
        'Referrer-Policy': 'no-referrer',
      }),
    ],
  ]);
  for (const [path, file] of Object.entries(BUILT)) {
    resources.set(path, createResource(extname(file), await readFile(new URL(file, DIST))));
  }
  for (const [name, file] of Object.entries(ASSETS)) {
    const body = await readFile(join(swaggerUiFolder(), file));
    resources.set(assetPath(name), createResource(extname(file), body));
  }
  return resources;
}

/** Returns a path relative to the page, so that the page works behind a path prefix. */
function fromPage(path: string): string {
  return posix.relative(PAGE, path);
}

function assetPath(name: string): string {
  return `${ASSETS_FOLDER}/${name}`;
}
