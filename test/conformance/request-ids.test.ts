import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService, weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { raw } from '../support/raw-request.js';

const fixture = useService({ LOG_LEVEL: 'DEBUG' });
const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;
const idOf = async (id: string | string[] | undefined, target = '/api/health', method = 'GET') => {
  const headers = id === undefined ? {} : { 'X-Request-ID': id };
  return String((await ask(fixture.url + target, { method, headers })).headers['x-request-id']);
};

describe('a request ID', () => {
  it('is kept if it is well-formed, in the response and in the record', async () => {
    for (const id of ['a', 'A-b_c.9', '0'.repeat(64), '..', '-']) assert.equal(await idOf(id), id);
    assert.equal(await idOf('kept-1', weatherOf('Seattle', 'USA')), 'kept-1');
    await fixture.service.waitFor('weather_request', (record) => record['request_id'] === 'kept-1');
    assert.equal(await idOf('kept-2', '/nothing'), 'kept-2');
    await fixture.service.waitFor('request', (record) => record['request_id'] === 'kept-2');
  });

  it('is replaced if it is ill-formed', async () => {
    for (const id of ['', ' ', 'a b', 'a,b', '0'.repeat(65), 'a/b', '{x}', 'é', ['a', 'b']]) {
      const given = await idOf(id);
      assert.notEqual(given, id);
      assert.match(given, WELL_FORMED);
    }
  });

  it('is generated for each request that has none, whatever the outcome', async () => {
    const ids = new Set<string>();
    const requests = [
      ['GET', '/api/health'],
      ['GET', weatherOf('Seattle', 'USA')],
      ['GET', '/api/weather'],
      ['GET', '/nothing'],
      ['PUT', '/api/weather'],
      ['OPTIONS', '/api/weather'],
      ['GET', '/apidocs/'],
      ['DELETE', '/api/v1/recent-searches'],
    ] as const;
    for (const [method, target] of requests) {
      const id = await idOf(undefined, target, method);
      assert.match(id, WELL_FORMED, target);
      ids.add(id);
    }
    assert.equal(ids.size, requests.length);
  });

  it('cannot split the response with a line break', async () => {
    const answer = await raw(
      fixture.url,
      'GET /api/health HTTP/1.1\r\nHost: x\r\nX-Request-ID: a\r\n X-Evil: 1\r\nConnection: close\r\n\r\n',
    );
    assert.doesNotMatch(answer, /X-Evil/i);
  });
});
