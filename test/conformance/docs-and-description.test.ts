import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../support/conformance.js';
import { ask } from '../support/http-client.js';

const fixture = useService();

interface Description {
  swagger: string;
  info: { title: string; version: string; description: string; license: { name: string } };
  tags: { name: string; description: string }[];
  securityDefinitions: Record<string, object>;
  paths: Record<
    string,
    Record<string, { tags: string[]; responses: Record<string, object>; summary: string }>
  >;
}

const OPERATIONS: Record<string, string> = {
  'GET /api/health': 'health',
  'GET /api/v1/health': 'health',
  'GET /api/v1/health/live': 'health',
  'GET /api/v1/health/ready': 'health',
  'GET /api/weather': 'weather',
  'GET /api/v1/weather': 'weather',
  'POST /api/weather': 'weather',
  'POST /api/v1/weather': 'weather',
  'GET /api/v1/weather/coordinates': 'weather',
  'GET /api/v1/recent-searches': 'searches',
  'DELETE /api/v1/recent-searches': 'searches',
};

describe('the documentation', () => {
  it('the description is OpenAPI 2.0 with all eleven operations, each under its one tag', async () => {
    const answer = await ask(`${fixture.url}/apispec.json`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
    const { swagger, info, tags, securityDefinitions, paths } = answer.json as Description;
    assert.equal(swagger, '2.0');
    for (const text of [info.title, info.version, info.description, info.license.name])
      assert.ok(text);
    assert.deepEqual(
      tags.map(({ name }) => name),
      ['health', 'weather', 'searches'],
    );
    for (const { description } of tags) assert.ok(description);
    assert.ok(Object.keys(securityDefinitions).length > 0);
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => /^(get|post|put|patch|delete)$/.test(method))
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation.tags.join()]),
    );
    assert.deepEqual(Object.fromEntries(described), OPERATIONS);
  });

  it('every described operation exists, and answers with a described status', async () => {
    const { paths } = (await ask(`${fixture.url}/apispec.json`)).json as Description;
    for (const operation of Object.keys(OPERATIONS)) {
      const [method = '', path = ''] = operation.split(' ');
      const { status } = await ask(fixture.url + path, { method });
      const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
      assert.ok(Object.hasOwn(responses, String(status)), `${operation} answers ${status}`);
    }
  });

  it('the page is at /apidocs/, and /apidocs leads there', async () => {
    const page = await ask(`${fixture.url}/apidocs/`);
    assert.equal(page.status, 200);
    assert.match(page.headers['content-type'] ?? '', /^text\/html; charset=utf-8/);
    assert.match(page.text, /\/apispec\.json/);
    const redirect = await ask(`${fixture.url}/apidocs`);
    assert.equal(redirect.status, 301);
    assert.equal(redirect.headers.location, '/apidocs/');
  });

  it('everything that the page loads comes from this service', async () => {
    const { text } = await ask(`${fixture.url}/apidocs/`);
    const loaded = Array.from(
      text.matchAll(/(?:src|href)="([^"#]+)"/g),
      ([, target = '']) => target,
    );
    assert.ok(loaded.length >= 3, loaded.join());
    for (const target of loaded) {
      const { pathname, host } = new URL(target, `${fixture.url}/apidocs/`);
      assert.equal(host, new URL(fixture.url).host, target);
      assert.equal((await ask(fixture.url + pathname)).status, 200, target);
    }
  });
});
