import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertError,
  assertErrorForm,
  useService,
  weatherGivenTo,
  weatherOf,
} from '../support/conformance.js';
import { type Answer, ask } from '../support/http-client.js';
import { closed, raw } from '../support/raw-request.js';
import { PATHS } from '../support/stub-provider.js';

const fixture = useService();
const PATH = '/api/v1/weather';
const ALIAS = '/api/weather';
const HEAD = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const charactersBut = (found: string) =>
  `Only letters, spaces, hyphens and Unicode characters are allowed. ${found} is not.`;

const post = (body: unknown, headers: Record<string, string> = {}, path = PATH) =>
  ask(fixture.url + path, { method: 'POST', body, headers });

/** @returns the message */
function assertNotAnObject(answer: Answer): string {
  assertErrorForm(answer, 400, 'Invalid request');
  const { message } = answer.json as { message: string };
  assert.ok(message.startsWith('Request body must be a JSON object'), message);
  return message;
}

beforeEach(() => {
  fixture.stub.reset();
});

describe('the weather by name', () => {
  for (const [path, city, other] of [
    [PATH, 'Portland', 'Boston'],
    [ALIAS, 'Seattle', 'Denver'],
  ] as const) {
    it(`is returned by GET and POST ${path}, with null coordinates, from one cache`, async () => {
      const got = await ask(fixture.url + weatherOf(city, 'USA', path));
      const [call] = fixture.stub.calls;
      assert.ok(call);
      assert.equal(got.status, 200);
      assert.equal(got.headers['content-type'], 'application/json; charset=utf-8');
      assert.deepEqual(got.json, {
        location: { city, country: 'USA', latitude: null, longitude: null },
        ...weatherGivenTo(call),
      });
      const posted = await post({ city, country: 'USA' }, {}, path);
      assert.equal(posted.headers['content-type'], 'application/json; charset=utf-8');
      assert.deepEqual([posted.json, posted.headers['x-cache']], [got.json, 'HIT']);
      const first = await post({ city: other, country: 'USA' }, {}, path);
      assert.deepEqual([first.status, first.headers['x-cache']], [200, 'MISS']);
      assert.equal(fixture.stub.count(PATHS.openMeteo), 2);
    });
  }

  it('of an unknown place is 400 with its name, without a fetch of weather', async () => {
    for (const [city, country] of [
      ['Qwxyzzy', 'USA'],
      ['Seattle', 'France'],
      ['Seattle', 'hasOwnProperty'],
    ] as const) {
      const answers = [
        await ask(fixture.url + weatherOf(city, country)),
        await post({ city, country }),
      ];
      for (const answer of answers) {
        const message = assertErrorForm(answer, 400, 'Geocoding failed');
        assert.ok(message.includes(city) && message.includes(country), message);
      }
    }
    assert.equal(fixture.stub.count(PATHS.openMeteo), 0);
  });

  it('of an unknown place names the country that was understood', async () => {
    for (const [country, understood] of [
      ['CA', "'CA' (Canada)"],
      ['France', "'France'"],
      ['Deutschland', "'Deutschland' (Germany)"],
    ] as const) {
      const answer = await ask(fixture.url + weatherOf('Qwxyzzy', country));
      const message = `No place called 'Qwxyzzy' was found in ${understood}.`;
      assert.equal(assertErrorForm(answer, 400, 'Geocoding failed'), message);
    }
  });

  it('of a misspelled name has a link to the same request for each similar place', async () => {
    const similarTo = ({ headers }: Answer) =>
      Array.from(
        String(headers['link']).matchAll(/<([^>]+)>; rel="alternate"; title\*=UTF-8''([^,]+)/g),
        ([, address = '', title = '']) => ({ address, title: decodeURIComponent(title) }),
      );
    for (const [city, country, ...titles] of [
      ['Seatle', 'USA', 'Seattle'],
      ['Düsseldorff', 'Deutschland', 'Düsseldorf'],
      ['Nagaok', '日本', 'Nagaoka, Niigata', 'Nagaoka, Kyoto', 'Nagano'],
      ['Marseillle', 'Ｆｒａｎｃｅ', 'Marseille'],
    ] as const) {
      for (const path of [PATH, ALIAS]) {
        const got = await ask(fixture.url + weatherOf(city, country, path));
        const posted = await post({ city, country }, {}, path);
        assertErrorForm(posted, 400, 'Geocoding failed');
        assert.equal(posted.headers['link'], got.headers['link']);
        const similar = similarTo(got);
        assert.deepEqual(
          similar.map(({ title }) => title),
          titles,
        );
        for (const { address, title } of similar) {
          const { href } = new URL(address, fixture.url + path);
          const answer = await ask(href);
          const { location } = answer.json as { location: Record<string, unknown> };
          assert.deepEqual([location['city'], location['country']], [title, country]);
        }
      }
    }
    const forecast = await ask(
      fixture.url + weatherOf('Seatle', 'USA', '/api/v1/forecast') + '&days=2',
    );
    const address = similarTo(forecast)[0]?.address ?? '';
    assert.equal(address, '?city=Seattle&country=USA&days=2');
    const days = (await ask(`${fixture.url}/api/v1/forecast${address}`)).json as {
      days: unknown[];
    };
    assert.equal(days.days.length, 2);
  });

  it('that is similar to no name of the country has no link', async () => {
    for (const [city, country] of [
      ['Qwxyzzy', 'USA'],
      ['Seatle', 'Atlantis'],
    ] as const) {
      const answer = await ask(fixture.url + weatherOf(city, country));
      assertErrorForm(answer, 400, 'Geocoding failed');
      assert.equal(answer.headers['link'], undefined);
    }
  });
});

describe('a name', () => {
  it('that is missing in the query is reported, without a call', async () => {
    for (const query of ['', '?country=USA', '?city=Seattle&country=+', '?city=Sea%3Cttle']) {
      const message = "Both 'city' and 'country' parameters are required";
      const answer = await ask(fixture.url + PATH + query);
      assertError(answer, 400, 'Missing required parameters', message);
    }
    assert.equal(fixture.stub.calls.length, 0);
  });

  it('that is missing in the body is reported, without a call', async () => {
    for (const body of [
      { city: null, country: 'USA' },
      { city: 'Seattle', country: '   ' },
      { city: 5 },
      '{}',
    ]) {
      const message = "Both 'city' and 'country' fields are required";
      assertError(await post(body, JSON_TYPE), 400, 'Missing required fields', message);
    }
    assert.equal(fixture.stub.calls.length, 0);
  });

  it('that is repeated or not a name is rejected, and its field is reported', async () => {
    for (const [query, error, message] of [
      ['city=A&city=A&country=USA', 'city must be a string', 'city must be one string'],
      ['city=A&country=B&country=C', 'country must be a string', 'country must be one string'],
      [
        'city=Se;attle&country=U$A',
        'city contains invalid characters',
        charactersBut("';' (U+003B)"),
      ],
    ] as const) {
      assertError(await ask(`${fixture.url}${PATH}?${query}`), 400, error, message);
    }
    for (const value of [5, ['Seattle']]) {
      const city = await post({ city: value, country: 'USA' });
      assertErrorForm(city, 400, 'city must be a string');
      const country = await post({ city: 'Seattle', country: value });
      assertErrorForm(country, 400, 'country must be a string');
    }
    for (const [body, error] of [
      [{ city: 'Seattle', country: 'USA\u0000' }, 'country contains invalid characters'],
      ['{"city":"\\ud800","country":"USA"}', 'city contains invalid characters'],
    ] as const) {
      assertErrorForm(await post(body, JSON_TYPE), 400, error);
    }
    assert.equal(fixture.stub.calls.length, 0);
  });

  it('that is invalid is rejected in every encoding', async () => {
    for (const [value, found] of [
      ['%00', 'U+0000'],
      ['Sea%0D%0Attle', 'U+000D'],
      ['%ED%A0%80%ED%B0%80', "'\ufffd' (U+FFFD)"],
      ['S%E3o%20Paulo', "'\ufffd' (U+FFFD)"],
      ['%zz', "'%' (U+0025)"],
      ['union+select', "'union select'"],
    ] as const) {
      const answer = await ask(`${fixture.url}${PATH}?city=${value}&country=USA`);
      assertError(answer, 400, 'city contains invalid characters', charactersBut(found));
    }
  });

  it('may have any typography, and is repeated without invisible characters', async () => {
    for (const [city, country, shown] of [
      ['‘s-Hertogenbosch', 'Nederland', ['‘s-Hertogenbosch', 'Nederland']],
      ['نجف\u200cآباد', '\u200fایران', ['نجفآباد', 'ایران']],
      ['ニューヨーク・シティ', '米国', ['ニューヨーク・シティ', '米国']],
      ['\u3000Ｏｓｌｏ ', 'Norway', ['Ｏｓｌｏ', 'Norway']],
      ['Rio\u00a0de\u2009 Janeiro', 'Bra\u00adsil', ['Rio de Janeiro', 'Brasil']],
      ['Yangon', 'Myanmar (Burma)', ['Yangon', 'Myanmar (Burma)']],
    ] as const) {
      for (const answer of [
        await ask(fixture.url + weatherOf(city, country)),
        await post({ city, country }),
      ]) {
        assert.equal(answer.status, 200, city);
        const { location } = answer.json as { location: Record<string, unknown> };
        assert.deepEqual([location['city'], location['country']], shown);
      }
    }
  });

  it('may have 100 code points after composing, and not 101', async () => {
    const letter = 'é'.normalize('NFD');
    const longest = await ask(fixture.url + weatherOf(letter.repeat(100), 'USA'));
    assertErrorForm(longest, 400, 'Geocoding failed');
    const message = 'country exceeds the maximum length of 100 characters';
    const tooLong = await post({ city: 'Seattle', country: letter.repeat(101) });
    assertError(tooLong, 400, 'country is too long', message);
  });
});

describe('a POST body', () => {
  it('may have a content type with parameters and in any case', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      const answer = await post('{"city":"Boston","country":"USA"}', { 'Content-Type': type });
      assert.equal(answer.status, 200, type);
    }
  });

  it('that is not JSON is rejected with the place of the fault', async () => {
    const long = 'x'.repeat(9000);
    for (const [body, reason] of [
      [`{"city":"${long}","country":"USA",}`, /position 9027, at "}": a trailing comma/],
      ['{"city":["Rome",],"country":"Italy"}', /position 16, at "]": a trailing comma/],
      ["{'city':'Seattle'}", /position 1, at "'": use double quotes/],
      [`{"city":"${long}","country":'USA'}`, /position 9021, at "'": use double quotes/],
      [
        '{"city":"Seattle" "country":"USA"}',
        /position 18, at "\\"": a comma or "}" is expected\.$/,
      ],
      ['{city:"Seattle"}', /position 1, at "c": a name in double quotes is expected\.$/],
      ['{“city”:“Seattle”}', /position 1, at "“": use straight double quotes\.$/],
      ['{"city":NaN}', /position 8, at "N": a value is expected\.$/],
      [
        '{"city":"Seattle", // the largest\n"country":"USA"}',
        /at "\/": comments are not allowed\.$/,
      ],
      ['{"city":"Sea\nttle"}', /position 12, at "\\n": an escaped character is expected\.$/],
      ['{"city":"Seattle","country":"USA"} x', /position 35, at "x": the end is expected\.$/],
      ['[object Object]', /position 1, at "o": a value is expected\.$/],
      ['<city>Seattle</city>', /position 0, at "<": a value is expected\.$/],
      [Buffer.from('{"city":"Seattle"}', 'utf16le').toString(), /: send it in UTF-8\.$/],
      [' ', /This one is empty\.$/],
      ['["Seattle","USA"]', /This one is an array\.$/],
      ['null', /This one is null\.$/],
      ['5', /This one is a number\.$/],
      [JSON.stringify('{"city":"Seattle","country":"USA"}'), /This one is a string\.$/],
      ['{"city":"Seattle"', /ends too early\.$/],
      [`{"city":"Rome","country":[${'0,'.repeat(500)}0]}`, /more than 500 commas and opening/],
      [`{"city":${'['.repeat(30)}${']'.repeat(30)}}`, /more than 20 levels\.$/],
    ] as const) {
      assert.match(assertNotAnObject(await post(body, JSON_TYPE)), reason);
    }
  });

  it('that is missing or empty is rejected as empty, whatever its content type', async () => {
    const types = ['', 'application/json', 'application/json; charset=utf-16', 'text/plain'];
    for (const type of types) {
      for (const length of ['', 'Content-Length: 0\r\n']) {
        const head = `POST /api/v1/weather HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${length}`;
        const line = type === '' ? '' : `Content-Type: ${type}\r\n`;
        const answer = await raw(fixture.url, `${head}${line}\r\n`);
        assert.match(answer, /^HTTP\/1\.1 400 /);
        assert.match(
          answer,
          /"Request body must be a JSON object\. This one is empty\."/,
          head + line,
        );
      }
    }
  });

  it('of another content type, or with a content coding, is rejected', async () => {
    const body = '{"city":"Seattle","country":"USA"}';
    const withoutType = await post(body);
    assert.match(assertNotAnObject(withoutType), /This request has no Content-Type\.$/);
    for (const type of [
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json; charset=utf-16',
      'application/json; charset=iso-8859-1',
    ]) {
      const message = assertNotAnObject(await post(body, { 'Content-Type': type }));
      assert.ok(message.includes(`This request has Content-Type: ${type}`), message);
    }
    for (const coding of ['gzip', 'identity, gzip']) {
      const coded = await post(body, { ...JSON_TYPE, 'Content-Encoding': coding });
      assert.match(assertNotAnObject(coded), new RegExp(`has Content-Encoding: ${coding}\\.$`));
    }
  });

  it('may have 16 KiB, and not one byte more', async () => {
    const body = (size: number) => {
      const start = '{"city":"Boston","country":"USA","rest":"';
      return `${start}${'x'.repeat(size - start.length - 2)}"}`;
    };
    assert.equal((await post(body(16 * 1024), JSON_TYPE)).status, 200);
    assertErrorForm(await post(body(16 * 1024 + 1), JSON_TYPE), 413, 'Payload too large');
  });

  it('may have 1,000 chunks, and not one more', async () => {
    const send = (chunks: number) => {
      const body = JSON.stringify({ city: 'Boston', country: 'USA' }).padEnd(chunks);
      const chunked = Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('');
      const lines = 'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
      return raw(fixture.url, `${HEAD}${lines}${chunked}0\r\n\r\n`);
    };
    assert.match(await send(1000), /^HTTP\/1\.1 200 /);
    const answer = await send(1001);
    const message = 'Request body must not exceed 16 KiB and 1,000 pieces';
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.ok(
      answer.endsWith(`${JSON.stringify({ error: 'Payload too large', message })}\n`),
      answer,
    );
  });

  it('is rejected as soon as it has too many chunks', async () => {
    const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1').setEncoding('latin1');
    const chunks = '1\r\n \r\n'.repeat(600);
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
    // Meanwhile, the service begins to read.
    await sleep(300);
    socket.write(chunks);
    const [answer] = (await once(socket, 'data')) as [string];
    assert.match(answer, /^HTTP\/1\.1 413 /);
    await closed(socket);
  });

  it('of several megabytes is rejected with 413, however the client sends it', async () => {
    const huge = `{"city":"${'x'.repeat(8_000_000)}"}`;
    const length = { 'Content-Length': String(huge.length) };
    for (const headers of [length, { 'Transfer-Encoding': 'chunked' }]) {
      assertErrorForm(await post(huge, { ...JSON_TYPE, ...headers }), 413, 'Payload too large');
    }
    // This client reports an error if the connection is closed while it sends.
    const options = { method: 'POST', body: huge, headers: JSON_TYPE };
    assert.equal((await fetch(fixture.url + PATH, options)).status, 413);
  });
});
