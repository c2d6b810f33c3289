import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { docsRoutes } from '../../../src/http/docs/docs.js';
import { compile } from '../../../tools/build/code.js';
import { description, description3, llmsText } from '../../../tools/openapi/index.js';
import { appOf } from '../../support/edge.js';
import { ask, type RequestOptions } from '../../support/http-client.js';
import { suiteLifetime } from '../../support/lifetime.js';
import { listenLocally } from '../../support/listen-locally.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ASSETS = docsRoutes()
  .flatMap(({ paths }) => paths)
  .filter((path) => path.startsWith('/apidocs/assets/'));
const NOTICES = '/apidocs/third-party-notices.txt';
const SERVED = [
  '/apidocs/',
  '/robots.txt',
  '/apispec.json',
  '/openapi.json',
  '/llms.txt',
  NOTICES,
  ...ASSETS,
];

const lifetime = suiteLifetime();
let origin: string;

before(async () => {
  origin = await listenLocally(lifetime, appOf(docsRoutes()).callback());
});

const visit = (path: string, options: RequestOptions = {}) =>
  ask(origin + path, { ...options, headers: { 'X-Request-ID': 'docs', ...options.headers } });

describe('the documentation', () => {
  it('redirects from /apidocs to /apidocs/ below the same path prefix, also for HEAD', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await visit('/apidocs', { method });
      assert.equal(status, 301);
      for (const prefix of ['', '/prefix']) {
        const { pathname } = new URL(String(headers.location), `${origin}${prefix}/apidocs`);
        assert.equal(pathname, `${prefix}/apidocs/`);
      }
    }
  });

  it('has the description as JSON in both versions', async () => {
    for (const [path, document] of [
      ['/apispec.json', description],
      ['/openapi.json', description3],
    ] as const) {
      assert.equal((await visit(path)).body.toString(), `${JSON.stringify(document)}\n`);
    }
  });

  it('keeps crawlers from the API and from the tools for assistants', async () => {
    const { headers, text } = await visit('/robots.txt');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(text, 'User-agent: *\nDisallow: /api/\nDisallow: /mcp\n');
  });

  it('has the description as plain text', async () => {
    const { headers, text } = await visit('/llms.txt');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(text, llmsText);
  });

  it('links to the complete licenses of the data', async () => {
    assert.ok(JSON.stringify(description).includes(`(..${NOTICES})`));
    const { headers, body } = await visit(NOTICES);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    const folder = new URL('../../../tools/gazetteer/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /^[^/]+\/LICENSE$/.test(path),
    );
    assert.ok(files.length >= 4, files.join());
    for (const path of files) {
      const text = readFileSync(new URL(path, folder), 'utf8').trim();
      assert.ok(body.toString().includes(text), path);
    }
  });

  it('has the license of every package in the bundles', async () => {
    const { packages } = await compile(ROOT, join(ROOT, 'dist'));
    // In the service, and in the web page.
    for (const name of ['bullmq', 'preact']) assert.ok(packages.includes(`node_modules/${name}`));
    const notices = (await visit(NOTICES)).text;
    for (const folder of packages) {
      const at = join(ROOT, folder);
      const file = readdirSync(at).find((name) => /^licen[cs]e/i.test(name)) ?? 'README.md';
      const text = readFileSync(join(at, file), 'utf8');
      const isWhole = file !== 'README.md';
      const license = isWhole ? text.trim() : /^Copyright .*/m.exec(text)?.[0];
      assert.ok(license && notices.includes(license), folder);
    }
  });

  it('serves every file of the page, with its type', async () => {
    const { body } = await visit('/apidocs/');
    const addresses = [...body.toString().matchAll(/ (?:src|href)="([^"]*)"/g)];
    const types = new Map<string, unknown>();
    for (const [, address = ''] of addresses) {
      // Relative, so that the page works behind a path prefix.
      assert.doesNotMatch(address, /^\//);
      const { href, pathname } = new URL(address, `${origin}/apidocs/`);
      if (!href.startsWith(origin)) continue;
      types.set(pathname, (await visit(pathname)).headers['content-type']);
    }
    assert.deepEqual(Object.fromEntries(types), {
      '/apidocs/assets/favicon-32x32.png': 'image/png',
      '/apidocs/assets/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
      '/apidocs/assets/swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
      '/apidocs/assets/swagger-ui.min.css': 'text/css; charset=utf-8',
    });
  });

  it('allows only this origin, the script of the page, and inline styles, by its policy', async () => {
    const { headers, text } = await visit('/apidocs/');
    const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)];
    assert.equal(scripts.length, 1);
    const hash = createHash('sha256').update(scripts[0]![1]!).digest('base64');
    assert.deepEqual(String(headers['content-security-policy']).split('; '), [
      "default-src 'none'",
      "connect-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      `script-src 'self' 'sha256-${hash}'`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "form-action 'none'",
    ]);
    assert.doesNotMatch(text, /https?:\/\/(?!www\.w3\.org\/)/);
    assert.match(text, /"deepLinking":true,"displayRequestDuration":true,.*"validatorUrl":null/);
    assert.doesNotMatch(text, / on\w+="/);
  });

  for (const path of SERVED) {
    it(`serves ${path} with nosniff, HEAD, 304, and gzip`, async () => {
      const got = await visit(path);
      assert.equal(got.status, 200);
      assert.equal(got.headers['x-content-type-options'], 'nosniff');
      assert.equal(got.headers['cache-control'], 'public, no-cache');
      assert.equal(got.headers['content-encoding'], undefined);
      assert.equal(got.headers['content-length'], String(got.body.length));

      const head = await visit(path, { method: 'HEAD' });
      const untimed = (headers: IncomingHttpHeaders) => ({ ...headers, date: '' });
      assert.deepEqual(untimed(head.headers), untimed(got.headers));
      assert.equal(head.body.length, 0);

      const { etag = '' } = got.headers;
      // As fetch() sends it, with its own directive.
      const condition = { 'If-None-Match': etag, 'Cache-Control': 'no-cache' };
      const known = await visit(path, { headers: condition });
      assert.equal(known.status, 304);
      assert.equal(known.headers.etag, etag);
      assert.equal(known.body.length, 0);
      assert.equal((await visit(path, { headers: { 'If-None-Match': '"other"' } })).status, 200);

      const packed = await visit(path, { headers: { 'Accept-Encoding': 'gzip, br' } });
      assert.equal(packed.headers.vary, 'Origin, Accept-Encoding');
      assert.equal(packed.headers['content-type'], got.headers['content-type']);
      const isPicture = path.endsWith('.png');
      assert.equal(packed.headers['content-encoding'], isPicture ? undefined : 'gzip');
      assert.deepEqual(isPicture ? packed.body : gunzipSync(packed.body), got.body);
    });
  }

  it('has no other methods and paths', async () => {
    const paths = docsRoutes().flatMap((route) => route.paths);
    assert.deepEqual(paths.sort(), ['/apidocs', ...SERVED].sort());
    for (const path of paths) {
      assert.equal((await visit(path, { method: 'POST' })).status, 405, path);
    }
    for (const path of [
      '/',
      '/apispec.json/',
      '/apidocs/assets/missing.js',
      '/apidocs/assets/../../package.json',
      '/apidocs/assets/..%2f..%2fpackage.json',
      '/apidocs/assets/__proto__',
    ]) {
      assert.equal((await visit(path)).status, 404, path);
    }
  });
});
