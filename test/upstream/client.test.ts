import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { manualClock } from '../support/manual-clock.js';
import { AGENT, client, JSON_TYPE, listen, request } from './client-under-test.js';

describe('a response', { timeout: 60_000 }, () => {
  it('is returned as the schema describes it, with its headers', async () => {
    const seen: Record<string, unknown>[] = [];
    const { url } = await listen((incoming, response) => {
      seen.push(incoming.headers);
      response.writeHead(200, { ...JSON_TYPE, 'x-extra': 'yes' });
      response.end('{"value":1,"more":{"deep":[1]}}');
    });
    const answer = await client().getJson(request(url));
    assert.deepEqual(answer.body, { value: 1 });
    assert.equal(answer.headers.get('x-extra'), 'yes');
    assert.ok(Math.abs(answer.at - Date.now()) < 60_000);
    assert.equal(seen[0]?.['user-agent'], AGENT);
    assert.equal(seen[0]['accept'], 'application/json');
    assert.equal(seen[0]['connection'], 'keep-alive');
  });

  it('is requested without compression if it is small, and may still be compressed', async () => {
    const codings: unknown[] = [];
    const { url } = await listen((incoming, response) => {
      codings.push(incoming.headers['accept-encoding']);
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      response.end(gzipSync('{"value":2}'));
    });
    const calls = client();
    assert.deepEqual((await calls.getJson(request(url))).body, { value: 2 });
    assert.deepEqual((await calls.getJson(request(url, { small: true }))).body, { value: 2 });
    assert.deepEqual(codings, ['gzip, deflate, br', 'identity']);
  });

  it('has the time of its Date header, or of the clock of this process', async () => {
    const date = 'Sat, 21 Nov 2026 00:36:49 GMT';
    const { url } = await listen((incoming, response) => {
      response.sendDate = false;
      if (incoming.url?.includes('dated')) response.setHeader('date', date);
      response.end('{"value":1}');
    });
    const clock = manualClock(1_000_000);
    const dated = new URL('/dated', url);
    assert.equal((await client({ clock }).getJson(request(dated))).at, Date.parse(date));
    assert.equal((await client({ clock }).getJson(request(url))).at, 1_000_000);
  });
});
