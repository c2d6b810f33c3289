import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { PAGE_ASSETS } from '../../../src/http/page/web-page.js';
import { assertErrorForm, useService } from '../../support/conformance.js';
import { ask } from '../../support/http-client.js';

/** The files of the page at `/`, and the clients that get it. */

const fixture = useService();
const HTML = { Accept: 'text/html' };

describe('the page at /', () => {
  it('is sent to clients that prefer HTML, and is 404 for all others', async () => {
    for (const accept of [
      'text/html',
      'application/json;q=0.5, text/html',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    ]) {
      const request = { headers: { Accept: accept } };
      const { status, headers, text } = await ask(`${fixture.url}/`, request);
      assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
      assert.match(text, /^<!doctype html>/);
    }
    for (const accept of [
      '*/*',
      'application/json',
      'application/json, text/html;q=0.9',
      'text/html;q=0',
    ]) {
      const answer = await ask(`${fixture.url}/`, { headers: { Accept: accept } });
      assertErrorForm(answer, 404, 'Not found');
      assert.match(String(answer.headers.vary), /\bAccept\b(?!-)/);
    }
  });

  it('allows only this origin, and no inline code', async () => {
    const { headers, text } = await ask(`${fixture.url}/`, { headers: HTML });
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'",
    );
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(String(headers.vary), /\bAccept\b(?!-)/);
    assert.doesNotMatch(text, /<style|<script>| style="| on\w+="|https?:/);
  });

  it('has scripts of at most 45 kB, and a first view of at most 17.4 kB compressed', async () => {
    const headers = { ...HTML, 'Accept-Encoding': 'gzip' };
    let scriptBytes = 0;
    let firstViewBytes = 0;
    for (const path of ['/', ...PAGE_ASSETS.map((name) => `/page/${name}`)]) {
      const { body } = await ask(fixture.url + path, { headers });
      if (path.endsWith('.js')) scriptBytes += gunzipSync(body).length;
      // The icon for home screens and the code for weather are loaded later.
      if (!/png|place/.test(path)) firstViewBytes += body.length;
    }
    assert.ok(scriptBytes <= 45_000, `${scriptBytes} bytes`);
    assert.ok(firstViewBytes <= 17_400, `${firstViewBytes} bytes compressed`);
  });
});
