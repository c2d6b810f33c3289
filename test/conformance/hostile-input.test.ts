import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertErrorForm, useService, weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { raw } from '../support/raw-request.js';
import { PATHS } from '../support/stand-in.js';

const fixture = useService();

beforeEach(() => {
  fixture.standIn.reset();
});

/** Values as they stand in the query string, still encoded. */
const INVALID = [
  '%00',
  'Seattle%00',
  '%00Seattle',
  'Sea%00ttle',
  'Seattle%0A',
  '%09Seattle',
  'Sea%0D%0Attle',
  '%0D%0ASet-Cookie:%20a=b',
  '%7F',
  '%C2%85',
  '%E2%80%A8',
  '%E2%80%A9',
  '%EF%BB%BFSeattle',
  '%1B%5B31m',
  '%ED%A0%80',
  '%ED%A0%80%ED%B0%80',
  '%FF',
  '%C0%AF',
  'S%E3o%20Paulo',
  '%',
  '%zz',
  '%25',
  'a%3Ab',
  'a:b',
  '{x}',
  '%7Bx%7D',
  '__proto__',
  'a=b',
  'Seattle1',
  '1',
  '%D9%A1',
  '%C2%BD',
  '%E2%85%A7',
  'a_b',
  'a%2Fb',
  '..',
  '../etc/passwd',
  '..%5C..%5Cwindows',
  '%2e%2e%2f',
  'a..b',
  'Seattle;ls',
  'Seattle%26%26ls',
  'a%7Cb',
  'a$b',
  '$(ls)',
  '%60ls%60',
  'a%5Cb',
  '%3Cscript%3Ealert()%3C/script%3E',
  'a%3E',
  'javascript:alert()',
  '%27%20OR%20%271%27=%271',
  '%27or%27',
  "x'%20and%20'x",
  '%E2%80%99%20OR%20%E2%80%99',
  'Robert%27);--',
  'a--b',
  'union%20select',
  'UNION%20%20SELECT',
  'x%20Union%20All%20Select%20y',
  'drop%20table%20users',
  'insert%20into%20x',
  'delete%20from%20x',
  'or%201',
  'a*b',
  'a%23b',
  'a@b',
  'a!',
  'a%3F',
  '(a)',
  '[a]',
  '%22a%22',
  'a~b',
  'a%5Eb',
  '%E2%82%AC',
  '%F0%9F%98%80',
  '%E2%80%AEabc',
  '%E2%80%8B',
  '%C2%AD',
  'a+%2B+b',
  '%C2%A0a%C2%A0b',
  '%E2%80%93',
  '%E2%80%94',
];

describe('hostile input', () => {
  for (const [field, other] of [
    ['city', 'country=USA'],
    ['country', 'city=Seattle'],
  ] as const) {
    it(`an invalid ${field} is refused, and no provider is called`, async () => {
      for (const value of INVALID) {
        const answer = await ask(`${fixture.url}/api/weather?${field}=${value}&${other}`);
        assert.deepEqual(
          [answer.status, answer.json],
          [
            400,
            {
              error: `${field} contains invalid characters`,
              message: 'Only letters, spaces, hyphens and Unicode characters are allowed',
            },
          ],
          value,
        );
        assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
      }
      assert.equal(fixture.standIn.calls.length, 0);
    });
  }

  it('names like those of object properties are ordinary names', async () => {
    for (const name of [
      'constructor',
      'toString',
      'hasOwnProperty',
      'valueOf',
      'prototype',
      'null',
      'undefined',
      'NaN',
      'true',
    ]) {
      assertErrorForm(await ask(fixture.url + weatherOf(name, 'USA')), 400, 'Geocoding failed');
      assertErrorForm(await ask(fixture.url + weatherOf('Seattle', name)), 400, 'Geocoding failed');
    }
  });

  it('parameters in brackets are not parsed', async () => {
    for (const query of [
      'city[]=Seattle&country[]=USA',
      'city[a]=b&country=USA',
      '__proto__[city]=Seattle&country=USA',
      'constructor[prototype][city]=Seattle&country=USA',
      '__proto__=a&city=Seattle',
      'city.x=1&country=USA',
    ]) {
      assertErrorForm(
        await ask(`${fixture.url}/api/weather?${query}`),
        400,
        'Missing required parameters',
      );
    }
  });

  it('thousands of parameters do no harm', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => `a${index}=`).join('&');
    const first = await ask(
      `${fixture.url}${weatherOf('Seattle', 'USA')}&${many.slice(0, 14_000)}`,
    );
    assert.equal(first.status, 200);
  });

  it('a city of 10 KB is refused as too long at once', async () => {
    assertErrorForm(
      await ask(fixture.url + weatherOf('x'.repeat(10_000), 'USA')),
      400,
      'city is too long',
    );
    const answer = await ask(`${fixture.url}/api/weather`, {
      method: 'POST',
      body: { city: 'é'.normalize('NFD').repeat(4000), country: 'USA' },
    });
    assertErrorForm(answer, 400, 'city is too long');
  });

  it('names that aim at slow patterns are handled quickly', async () => {
    const started = performance.now();
    for (const city of [
      "' ".repeat(45) + 'o',
      'select '.repeat(14),
      'update '.repeat(14),
      '- '.repeat(50),
      `${'a '.repeat(49)}<`,
    ]) {
      await ask(fixture.url + weatherOf(city, 'USA'));
      await ask(`${fixture.url}/api/v1/weather/coordinates?lat=${'1'.repeat(12_000)}x&lon=1`);
    }
    // Milliseconds in fact; a pattern that runs away takes minutes.
    assert.ok(performance.now() - started < 10_000);
  });

  it('no spelling of one place reads the entry of another', async () => {
    // Each pair would meet if a key were glued from unescaped parts.
    const pairs = [
      ['San', 'Marino'],
      ['San Marino', 'San Marino'],
      ['Sanm', 'Arino'],
      ['Nice', 'France'],
      ['Nice, France', 'France'],
      ['Paris', 'France'],
      ['Paris', 'USA'],
      ['Paris, Texas', 'USA'],
    ] as const;
    for (const [city, country] of pairs) {
      const answer = await ask(fixture.url + weatherOf(city, country));
      if (answer.status !== 200) continue;
      assert.deepEqual((answer.json as { location: object }).location, {
        city,
        country,
        latitude: null,
        longitude: null,
      });
    }
    const [france, texas] = await Promise.all(
      [
        ['Paris', 'France'],
        ['Paris', 'USA'],
      ].map(([city = '', country = '']) => ask(fixture.url + weatherOf(city, country))),
    );
    assert.notEqual(france?.headers.etag, texas?.headers.etag);
    assert.ok(fixture.standIn.count(PATHS.openMeteo) >= 3);
  });

  it('a POST body is told apart from the query string and from a second request', async () => {
    const body = '{"city":"Boston","country":"USA"}';
    const request = `POST /api/weather HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const answer = await raw(
      fixture.url,
      request +
        request +
        'GET /api/v1/health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    assert.deepEqual(answer.match(/HTTP\/1\.1 \d{3}/g), [
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 200',
    ]);
  });
});
