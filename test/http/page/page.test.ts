import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { PAGE_ASSETS } from '../../../src/http/page/web-page.js';
import { assertErrorForm, useService } from '../../support/conformance.js';
import { ask } from '../../support/http-client.js';
import { freePort } from '../../support/redis-server.js';

/** The files of the page at `/`, and the clients that get it. */

const fixture = useService();
const HTML = { Accept: 'text/html' };
const FILES: [path: string, headers: Record<string, string>][] = [
  ['/', HTML],
  ...PAGE_ASSETS.map((name): [string, Record<string, string>] => [`/page/${name}`, {}]),
];

describe('the page at /', () => {
  it('is sent to clients that prefer HTML, and is 404 for all others', async () => {
    const visit = (accept?: string) =>
      ask(`${fixture.url}/`, { headers: accept === undefined ? {} : { Accept: accept } });
    for (const accept of [
      ...['text/html', 'text/*', 'TEXT/HTML', 'application/json;q=0.5, text/html'],
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    ]) {
      const { status, headers, text } = await visit(accept);
      assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
      assert.match(text, /^<!doctype html>/);
    }
    for (const accept of [
      ...[undefined, '*/*', 'application/json', 'application/json, text/html;q=0.9'],
      ...['text/html;q=0', 'image/png', 'nonsense'],
    ]) {
      const answer = await visit(accept);
      assertErrorForm(answer, 404, 'Not found');
      assert.match(String(answer.headers.vary), /\bAccept\b(?!-)/);
    }
  });

  it('is the same with the query of a search', async () => {
    const [page, search] = await Promise.all(
      ['/', '/?city=Seattle&country=USA'].map((path) => ask(fixture.url + path, { headers: HTML })),
    );
    assert.deepEqual([search!.status, search!.text], [200, page!.text]);
  });

  it('allows only this origin, and no inline code', async () => {
    const { headers, text } = await ask(`${fixture.url}/`, { headers: HTML });
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(String(headers.vary), /\bAccept\b(?!-)/);
    assert.doesNotMatch(text, /<style|<script>| style="| on\w+="|https?:/);
  });

  it('refers only to its files, by relative addresses', async () => {
    const { text } = await ask(`${fixture.url}/`, { headers: HTML });
    const asked = [...text.matchAll(/ (?:src|href|action)="([^"]*)"/g)].map(([, to]) => to);
    assert.deepEqual(asked.sort(), [
      'api/v1/weather',
      'apidocs/',
      'openapi.json',
      ...PAGE_ASSETS.map((name) => `page/${name}`).sort(),
    ]);
  });

  it('is smaller than 30 kB in total, and than 15 kB compressed', async () => {
    const sizes = await Promise.all(
      FILES.map(async ([path, headers]) => {
        const packed = { ...headers, 'Accept-Encoding': 'gzip' };
        const [plain, gzipped] = await Promise.all(
          [headers, packed].map((all) => ask(fixture.url + path, { headers: all })),
        );
        assert.equal(gzipped!.headers['content-encoding'], 'gzip');
        assert.deepEqual(gunzipSync(gzipped!.body), plain!.body);
        return [plain!.body.length, gzipped!.body.length] as const;
      }),
    );
    const sum = (index: 0 | 1) => sizes.reduce((total, size) => total + size[index], 0);
    assert.ok(sum(0) < 30_000, `${sum(0)} bytes`);
    assert.ok(sum(1) < 15_000, `${sum(1)} bytes compressed`);
  });

  for (const [path, headers] of FILES) {
    it(`serves ${path} with nosniff, HEAD, 304, and 405 for other methods`, async () => {
      const got = await ask(fixture.url + path, { headers });
      assert.equal(got.headers['x-content-type-options'], 'nosniff');
      assert.equal(got.headers['cache-control'], 'public, no-cache');
      const head = await ask(fixture.url + path, { method: 'HEAD', headers });
      assert.deepEqual(
        [head.status, head.text, head.headers['content-length']],
        [200, '', String(got.body.length)],
      );
      const condition = { ...headers, 'If-None-Match': got.headers.etag ?? '' };
      const known = await ask(fixture.url + path, { headers: condition });
      assert.deepEqual([known.status, known.text], [304, '']);
      const post = await ask(fixture.url + path, { method: 'POST', headers });
      assertErrorForm(post, 405, 'Method not allowed');
      assert.equal(post.headers.allow, 'HEAD, GET, OPTIONS');
      const options = await ask(fixture.url + path, { method: 'OPTIONS', headers });
      assert.equal(options.status, 204);
    });
  }

  it('is logged like any other request, and has its own route in the metrics', async () => {
    const port = await freePort();
    const service = await fixture.replica({ METRICS_PORT: String(port) });
    const headers = { ...HTML, 'X-Request-ID': 'the-page' };
    await ask(`${service.url}/`, { headers });
    const { method, path, status } = await service.waitFor(
      'request',
      (record) => record['request_id'] === 'the-page',
    );
    assert.deepEqual([method, path, status], ['GET', '/', 200]);
    const { text } = await ask(`http://127.0.0.1:${port}/metrics`);
    assert.match(
      text,
      /weather_http_request_duration_seconds_count\{route="\/",method="GET",status="200"\}/,
    );
  });
});
