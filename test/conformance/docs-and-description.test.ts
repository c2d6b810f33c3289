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
  paths: Record<string, Record<string, { tags: string[]; responses: Record<string, Response> }>>;
}

/** What the running service says of itself. */
const describes = async () => (await ask(`${fixture.url}/apispec.json`)).json as Description;

/** `GET /api/health` and its tag, of each described operation. */
const operationsOf = ({ paths }: Description): [operation: string, tag: string][] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { tags }]): [string, string] => [
      `${method.toUpperCase()} ${path}`,
      tags.join(),
    ]),
  );

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
  it('description: every operation exists, and answers with a described status', async () => {
    const description = await describes();
    const { paths } = description;
    const operations = operationsOf(description);
    assert.equal(operations.length, 12);
    for (const [operation] of operations) {
      const [method = '', path = ''] = operation.split(' ');
      const { status } = await ask(fixture.url + path, { method });
      const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
      assert.ok(Object.hasOwn(responses, String(status)), `${operation} answers ${status}`);
    }
  });

  it('description: the headers are those of the answers, and Cache-Control has the described value', async () => {
    const description = await describes();
    const { paths, responses } = description;
    const asked: [operation: string, target: string, status: number, options?: RequestOptions][] = [
      ...operationsOf(description)
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
});

describe('/.well-known/security.txt', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;

  it('security.txt: it tells where to report, and expires within a year from now', async () => {
    const { status, headers, text } = await ask(`${fixture.url}/.well-known/security.txt`);
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
    const lines = text.trimEnd().split('\n');
    const fields = new Map(lines.map((line) => line.split(/: (.*)/) as [string, string]));
    assert.equal(new URL(fields.get('Contact') ?? '').protocol, 'https:');
    assert.match(fields.get('Expires') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    const daysLeft = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / DAY_MS;
    assert.ok(daysLeft > 30 && daysLeft < 365, String(daysLeft));
    assert.match(fields.get('Policy') ?? '', /\/SECURITY\.md$/);
  });
});
