import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAGE_ASSETS } from '../../src/http/page/web-page.js';
import { assertError, assertErrorForm, useService, weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';

const fixture = useService();

/** Every path with its methods, besides OPTIONS. */
const OFFERED: Record<string, string[]> = {
  '/': ['GET', 'HEAD'],
  [`/page/${PAGE_ASSETS[0]!}`]: ['GET', 'HEAD'],
  '/api/health': ['GET', 'HEAD'],
  '/api/v1/health': ['GET', 'HEAD'],
  '/api/v1/health/live': ['GET', 'HEAD'],
  '/api/v1/health/ready': ['GET', 'HEAD'],
  '/api/weather': ['GET', 'HEAD', 'POST'],
  '/api/v1/weather': ['GET', 'HEAD', 'POST'],
  '/api/v1/weather/coordinates': ['GET', 'HEAD'],
  '/api/v1/conditions/airport': ['GET', 'HEAD'],
  '/api/v1/forecast': ['GET', 'HEAD'],
  '/api/v1/forecast/coordinates': ['GET', 'HEAD'],
  '/api/v1/recent-searches': ['DELETE', 'GET', 'HEAD'],
  '/api/v1/places': ['GET', 'HEAD'],
  '/apidocs/': ['GET', 'HEAD'],
  '/apidocs': ['GET', 'HEAD'],
  '/apispec.json': ['GET', 'HEAD'],
  '/openapi.json': ['GET', 'HEAD'],
  '/llms.txt': ['GET', 'HEAD'],
  '/robots.txt': ['GET', 'HEAD'],
};
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

const UNKNOWN = (
  '/mcp /api/ /api/v1 /api/v2/weather /metrics /API/weather /api/v1/weather/ /openapi.json/ ' +
  '/api/health/live /api/recent-searches //api/v1/health /api/v1/../v1/health ' +
  '/api/v1/%68ealth /api/v1/%zz /page/ /page/../page/main.js /__proto__'
).split(' ');

const NOT_FOUND =
  'This path does not exist. The documentation is at /apidocs/, the API description at /openapi.json.';

describe('an unknown path', () => {
  it('is 404 with every method, and the message names the documentation', async () => {
    for (const path of UNKNOWN) {
      const answer = await ask(fixture.url + path);
      assertError(answer, 404, 'Not found', NOT_FOUND);
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8', path);
      assert.equal(answer.headers.allow, undefined);
    }
    for (const method of ['OPTIONS', ...METHODS.filter((name) => name !== 'HEAD')]) {
      assertError(await ask(`${fixture.url}/nothing`, { method }), 404, 'Not found', NOT_FOUND);
    }
    for (const path of NOT_FOUND.match(/\/[\w./]*\w\/?/g) ?? []) {
      assert.equal((await ask(fixture.url + path)).status, 200, path);
    }
    const head = await ask(`${fixture.url}/nothing`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [404, '']);
  });
});

describe('a method', () => {
  it('that a path does not offer is 405, with the list of its methods', async () => {
    const allow = (value: string | undefined) => (value ?? '').split(', ').sort();
    for (const [path, offered] of Object.entries(OFFERED)) {
      for (const method of METHODS.filter((name) => !offered.includes(name))) {
        const answer = await ask(fixture.url + path, { method });
        assertErrorForm(answer, 405, 'Method not allowed');
        assert.deepEqual(allow(answer.headers.allow), [...offered, 'OPTIONS'].sort(), path);
      }
      const options = await ask(fixture.url + path, { method: 'OPTIONS' });
      assert.deepEqual([options.status, options.text], [204, ''], path);
      const { 'content-length': length, 'content-type': type } = options.headers;
      assert.deepEqual([length, type], [undefined, undefined], path);
      assert.deepEqual(allow(options.headers.allow), [...offered, 'OPTIONS'].sort(), path);
    }
  });

  it('HEAD has the status and headers of GET, and no body', async () => {
    const volatile = ['date', 'x-request-id', 'set-cookie', 'x-cache', 'age'];
    for (const path of [
      '/api/v1/health/ready',
      '/api/v1/recent-searches',
      '/openapi.json',
      '/nothing',
      weatherOf('Seattle', 'USA'),
      weatherOf('', ''),
    ]) {
      const get = await ask(fixture.url + path);
      const head = await ask(fixture.url + path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.text], [get.status, ''], path);
      const kept = ({ headers }: typeof get) =>
        Object.fromEntries(Object.entries(headers).filter(([name]) => !volatile.includes(name)));
      assert.deepEqual(kept(head), kept(get), path);
    }
  });
});
