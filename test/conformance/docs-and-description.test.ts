import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService, weatherAt, weatherOf } from '../support/conformance.js';
import { ask, type RequestOptions } from '../support/http-client.js';

const fixture = useService({ RATE_LIMIT_PER_IP: '1000' });

interface Response {
  $ref?: string;
  headers?: Record<string, { enum?: string[] }>;
}

interface Description {
  responses: Record<string, Response>;
  swagger: string;
  info: { title: string; version: string; description: string; license: { name: string } };
  tags: { name: string; description: string }[];
  securityDefinitions: Record<string, object>;
  paths: Record<
    string,
    Record<string, { tags: string[]; responses: Record<string, Response>; summary: string }>
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
  'GET /api/v1/places': 'places',
};

/** What the description has to tell of, in alphabetical order; a cookie is set sometimes. */
const OWN_HEADERS = [
  'age',
  'cache-control',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-cache',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
  'x-weather-attribution',
  'x-weather-code',
  'x-weather-is-day',
  'x-weather-provider',
];

const pathOf = (operation: string) => operation.split(' ')[1] ?? '';

describe('the documentation', () => {
  it('the description is OpenAPI 2.0 with all twelve operations, each under its one tag', async () => {
    const answer = await ask(`${fixture.url}/apispec.json`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
    const { swagger, info, tags, securityDefinitions, paths } = answer.json as Description;
    assert.equal(swagger, '2.0');
    for (const text of [info.title, info.version, info.description, info.license.name])
      assert.ok(text);
    assert.deepEqual(
      tags.map(({ name }) => name),
      ['weather', 'searches', 'places', 'health'],
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

  it('the described headers are those of the answers, and Cache-Control has the described value', async () => {
    const { paths, responses } = (await ask(`${fixture.url}/apispec.json`)).json as Description;
    const asked: [operation: string, target: string, status: number, options?: RequestOptions][] = [
      ...Object.entries(OPERATIONS)
        .filter(([, tag]) => tag !== 'weather' && tag !== 'places')
        .map(([operation]): (typeof asked)[number] => [operation, pathOf(operation), 200]),
      ['GET /api/v1/weather', weatherOf('Seattle', 'USA'), 200],
      [
        'GET /api/v1/weather',
        weatherOf('Seattle', 'USA'),
        304,
        { headers: { 'If-None-Match': '*' } },
      ],
      ['GET /api/v1/weather', '/api/v1/weather', 400],
      ['GET /api/v1/places', '/api/v1/places?q=pots', 200],
      ['GET /api/v1/places', '/api/v1/places', 400],
      [
        'POST /api/v1/weather',
        '/api/v1/weather',
        200,
        { body: { city: 'Oslo', country: 'Norway' } },
      ],
      ['POST /api/v1/weather', '/api/v1/weather', 400],
      ['POST /api/v1/weather', '/api/v1/weather', 413, { body: { city: 'x'.repeat(20_000) } }],
      ['GET /api/v1/weather/coordinates', weatherAt('47.6', '-122.3'), 200],
      ['GET /api/v1/weather/coordinates', weatherAt('91', '0'), 400],
    ];
    for (const [operation, target, status, options] of asked) {
      const [method = '', path = ''] = operation.split(' ');
      const answer = await ask(fixture.url + target, { method, ...options });
      assert.equal(answer.status, status, `${operation} ${target}`);
      const described = paths[path]?.[method.toLowerCase()]?.responses[String(status)] ?? {};
      const name = described.$ref?.replace('#/responses/', '') ?? '';
      const { headers = {} } = responses[name] ?? described;
      assert.deepEqual(
        Object.keys(headers)
          .map((header) => header.toLowerCase())
          .filter((header) => header !== 'set-cookie')
          .sort(),
        OWN_HEADERS.filter((header) => answer.headers[header] !== undefined),
        `${operation} ${status}`,
      );
      const { 'cache-control': value } = answer.headers;
      if (value !== undefined) assert.deepEqual(headers['Cache-Control']?.enum, [value], operation);
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
