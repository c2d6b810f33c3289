import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { PAGE_ASSETS } from '../../../src/http/page/web-page.js';
import { assertErrorForm, useService } from '../../support/conformance.js';
import { ask } from '../../support/http-client.js';

/** The files of the page at `/`, and the clients that get it. */

const fixture = useService();
const HTML = { Accept: 'text/html' };

describe('the page at /', () => {
  it('is sent to all clients but those that prefer JSON, which get a 404', async () => {
    for (const accept of [
      '*/*',
      'text/plain',
      'text/html;q=0',
      '?'.repeat(2000),
      'text/html',
      'application/json;q=0.5, text/html',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    ]) {
      const request = { headers: { Accept: accept } };
      const { status, headers, text } = await ask(`${fixture.url}/`, request);
      assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
      // What curl shows says where the API is.
      const first = text.split('\n').slice(0, 5).join('\n');
      assert.match(first, /^<!doctype html>\n<!--[^]* \/apidocs\/,[^]* \/openapi\.json -->/);
    }
    for (const accept of [
      'application/json',
      'application/json, text/plain, */*',
      'application/json, text/html;q=0.9',
      'application/*, */*;q=0.1',
    ]) {
      const answer = await ask(`${fixture.url}/`, { headers: { Accept: accept } });
      assertErrorForm(answer, 404, 'Not found');
      assert.match(String(answer.headers.vary), /\bAccept\b(?!-)/);
    }
  });

  it('allows only this origin, and no inline code but the script that recovers from missing files', async () => {
    const { headers, text } = await ask(`${fixture.url}/`, { headers: HTML });
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(text) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        `script-src 'self' 'sha256-${hash}'; style-src 'self'; img-src 'self'; form-action 'self'`,
    );
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(String(headers.vary), /\bAccept\b(?!-)/);
    assert.doesNotMatch(text, /<style|<script>[^]*<script>| style="| on\w+="|https?:/);
  });

  it('has scripts of at most 46 kB, and below 30 kB compressed without the texts of a language', async () => {
    const headers = { ...HTML, 'Accept-Encoding': 'gzip' };
    let scriptBytes = 0;
    let firstViewBytes = 0;
    for (const path of ['/', ...PAGE_ASSETS.map((name) => `/page/${name}`)]) {
      const { body } = await ask(fixture.url + path, { headers });
      if (path.includes('main')) scriptBytes += gunzipSync(body).length;
      // The icon for home screens is loaded later.
      if (/index|main|page-|svg|^\/$/.test(path)) firstViewBytes += body.length;
    }
    // The script waits for no other file.
    assert.ok(!PAGE_ASSETS.some((name) => name.includes('chunk')));
    assert.ok(scriptBytes <= 46_000, `${scriptBytes} bytes`);
    assert.ok(firstViewBytes < 30_000, `${firstViewBytes} bytes compressed`);
  });

  it('names files by a hash of their content, which clients store for ever, and has no other files', async () => {
    const { headers, text } = await ask(`${fixture.url}/`, { headers: HTML });
    assert.equal(headers['cache-control'], 'public, no-cache');
    const names = [...text.matchAll(/page\/([^"]+)/g)].map(([, name = '']) => name);
    assert.ok(names.length >= 4);
    for (const name of new Set([...names, ...PAGE_ASSETS])) {
      assert.match(name, /-[A-Z\d]{8}\.(?:css|js|svg|png)$/);
      const asset = await ask(`${fixture.url}/page/${name}`);
      assert.equal(asset.status, 200);
      assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable');
    }
    for (const name of ['main.js', 'page.css', 'main-AAAAAAAA.js', 'index.html', 'constructor']) {
      const answer = await ask(`${fixture.url}/page/${name}`);
      assertErrorForm(answer, 404, 'Not found');
      assert.equal(answer.headers['cache-control'], 'no-store');
    }
  });

  it('names the place of a link in its preview, if a lookup accepts the names', async () => {
    for (const [query, title] of [
      ['city=Oslo&country=Norway', 'Oslo, Norway: Weather'],
      ['city=%20S%C3%A3o+Paulo&country=Brasil', 'São Paulo, Brasil: Weather'],
      ['city=L%27Aquila&country=It', 'L&#39;Aquila, It: Weather'],
      ['city=%22%3E%3Cscript%3E&country=x', 'Weather'],
      ['city=Oslo', 'Weather'],
      ['city=Oslo&city=Bergen&country=Norway', 'Weather'],
      ['lat=59.91&lon=10.75', 'Oslo, Norway: Weather'],
      ['lat=-18.14&lon=178.44', 'Suva, Fiji: Weather'],
      ['airport=osl', 'Oslo Airport, Gardermoen, Norway: Weather'],
      ['airport=LON', 'London, United Kingdom: Weather'],
      ['airport=QQQ', 'Weather'],
      // At sea, out of range, not numbers, and incomplete.
      ['lat=0&lon=-140', 'Weather'],
      ['lat=91&lon=2', 'Weather'],
      ['lat=<b>&lon=2', 'Weather'],
      ['lat=1', 'Weather'],
    ]) {
      const { status, text } = await ask(`${fixture.url}/?${query}`, { headers: HTML });
      const [, found] = /og:title" content="([^"]*)"/.exec(text) ?? [];
      assert.deepEqual([status, found], [200, title], query);
    }
  });
});
