import { weatherAt, weatherOf } from '../support/conformance.js';

/** A request that may cost much CPU time, as bytes on the wire. */
export interface Shape {
  name: string;
  /** @param client header lines with the client IP @param n number, so that no cache responds */
  bytes: (client: string, n: number) => string;
  /** Repeated after the response until the server ends the connection; undefined: it is reused. */
  rest?: string;
}

const WEATHER = weatherOf('Oslo', 'Norway');

function get(name: string, target: string | ((n: number) => string), lines = ''): Shape {
  const targetOf = typeof target === 'string' ? () => target : target;
  return {
    name,
    bytes: (client, n) => `GET ${targetOf(n)} HTTP/1.1\r\nHost: x\r\n${client}${lines}\r\n`,
  };
}

function post(
  name: string,
  body: string | ((n: number) => string),
  { path = '/api/weather', more = '' } = {},
): Shape {
  const bodyOf = typeof body === 'string' ? () => body : body;
  return {
    name,
    bytes: (client, n) => {
      const text = bodyOf(n);
      const lines = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${more}`;
      return `POST ${path} HTTP/1.1\r\nHost: x\r\n${client}${lines}\r\n${Buffer.from(text).toString('latin1')}`;
    },
  };
}

/** A message of the Model Context Protocol, in the era that has a handshake. @param params JSON */
function message(name: string, method: string, params: string | ((n: number) => string)): Shape {
  const bodyOf = (n: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${typeof params === 'string' ? params : params(n)}}`;
  const more = 'Accept: application/json, text/event-stream\r\n';
  return post(name, bodyOf, { path: '/mcp', more });
}

/** A request whose body begins with chunks, and does not end with this text. */
function chunked(name: string, start: string, body: string, rest: string): Shape {
  const lines = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
  return {
    name,
    bytes: (client) => `${start} HTTP/1.1\r\nHost: x\r\n${client}${lines}\r\n${body}`,
    rest,
  };
}

/** A chunk of one byte. */
const TINY = '1\r\nx\r\n';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** A label that takes quadratic time to decode. */
const HALVES = `${'a'.repeat(7500)}-${'a'.repeat(7500)}`;
const GZIP = 'gzip;q=0.1,'.repeat(1350);
/** A different word for each number, so that no result is memoized. */
const word = (n: number, length: number) =>
  Array.from({ length }, (_, at) => LETTERS[(n * 31 + at * (7 + (n % 11))) % 26]).join('');
const chinese = (n: number) => String.fromCodePoint(0x4e00 + (n % 5000));
const nested = (depth: number) => `{"city":${'['.repeat(depth)}${']'.repeat(depth)},"country":"x"}`;

const many = (count: number) => Array.from({ length: count }, (_, n) => `"a${n}":{}`).join();
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const callOf = (args: string, tool = 'current_weather') =>
  `{"name":"${tool}","arguments":{${args}}}`;
const handshakeOf = (experimental: string) =>
  `{"protocolVersion":"2025-11-25","capabilities":{"experimental":{${experimental}}},"clientInfo":{"name":"x","version":"1"}}`;

/** The reference: a request of a client over its rate limit. */
export const REFUSAL = get('a plain rejection', WEATHER);
/** The same, on a connection of its own: the reference for requests that end theirs. */
export const REFUSAL_ALONE: Shape = {
  ...get('a plain rejection on a new connection', WEATHER, 'Connection: close\r\n'),
  rest: '',
};

/**
 * Requests that end their connection. On a local connection, the server reads 64 KB at once, and
 * Node.js parses all that it has read: 10,900 chunks of one byte.
 */
export const ENDING_SHAPES: Shape[] = [
  chunked('a body of 16,000 chunks', 'POST /api/weather', TINY.repeat(16_000), ''),
  chunked('chunks before and after a 404', 'GET /nowhere', TINY.repeat(500), TINY.repeat(10_000)),
  chunked('chunks after a 413', 'POST /api/weather', TINY.repeat(1100), TINY.repeat(10_000)),
  chunked('a body that continues after a 404', 'POST /nowhere', '10000000\r\n', 'x'.repeat(65_536)),
  chunked(
    'chunks with extensions',
    'GET /nowhere',
    '',
    `1;${'a'.repeat(50)}\r\nx\r\n`.repeat(1000),
  ),
];

const CAPITALS = 'Paris, London, Rome, Berlin, Madrid, Vienna';
/** Searches for names that are long to read: city and country. */
const NAMES: [name: string, city: (n: number) => string, country: (n: number) => string][] = [
  ['a name that is not a city', (n) => word(n, 12), () => 'US'],
  ['100 letters with accents', (n) => `${word(n, 9)}${'é'.repeat(91)}`, () => 'France'],
  ['quotes', () => "' ".repeat(45) + 'o', () => 'US'],
  ['removed characters', (n) => `${word(n, 3)}${'\u200d\u00ad'.repeat(100)}`, () => 'US'],
  ['full-width letters', (n) => `${word(n, 3)}${'ｂ・–'.repeat(30)}`, () => '\uff35\uff33'],
  ['a remark', (n) => `San (${word(n, 5)})`, () => 'US'],
  ['parentheses', (n) => `${word(n, 2)}${'()'.repeat(45)}`, () => 'Germany'],
  ['a country with a remark', () => 'Paris', (n) => `Georgia (${word(n, 60)})`],
  ['the syllable ga', (n) => `${chinese(n)}ヶ`.repeat(50), () => 'Japan'],
  ['commas', (n) => `${word(n, 4)},`.repeat(20), () => 'US'],
  ['cities between commas', (n) => `${word(n, 3)}, ${CAPITALS}`, () => 'US'],
  ['many short words', (n) => `${word(n, 2)} `.repeat(33).trim(), () => 'US'],
  ['hyphens', (n) => `${word(n, 3)}-a`.repeat(20), () => 'US'],
  ['Chinese characters', (n) => chinese(n).repeat(100), () => 'China'],
  ['a name that is nearly a city', (n) => `Sprin${word(n, 1)}fild ${word(n, 2)}`, () => 'US'],
  ['a name that is not a country', () => 'Paris', (n) => word(n, 100)],
];
/** Paths of suggestions and of an address that no cache has. */
const PATHS: [name: string, path: (n: number) => string][] = [
  ['suggestions for one letter', (n) => `places?q=${word(n, 1)}&limit=10`],
  ['suggestions for a country', (n) => `places?q=${word(n, 1)}&country=US&limit=10`],
  ['suggestions for a frequent beginning', (n) => `places?q=${FREQUENT[n % 5] ?? ''}&limit=10`],
  ['suggestions for an unknown name', (n) => `places?q=${word(n, 12)}`],
  ['all hours', (n) => `forecast/hourly?city=Oslo&country=NO&hours=168&a=${n}`],
];
const FREQUENT = ['new', 'san', 'mar', 'bel', 'kar'];
const LONG = 'a'.repeat(15_000);
/** Messages of the Model Context Protocol: method and parameters as JSON. */
const MESSAGES: [name: string, method: string, params: string | ((n: number) => string)][] = [
  ['a call', 'tools/call', (n) => callOf(`"city":"${word(n, 12)}","country":"US"`)],
  [
    'a call for all hours',
    'tools/call',
    callOf('"city":"Oslo","country":"NO","hours":48', 'forecast_hourly'),
  ],
  ['a list of tools', 'tools/list', '{}'],
  ['a call with an argument of 15 kB', 'tools/call', callOf(`"city":"${LONG}"`)],
  ['a call of a tool with a name of 15 kB', 'tools/call', `{"name":"${LONG}"}`],
  ['a handshake with 90 capabilities', 'initialize', handshakeOf(many(90))],
  ['a handshake with nested capabilities', 'initialize', handshakeOf(`"a":${objects(15)}`)],
];

/** Requests that are served: searches for a place and its weather, and MCP package messages. */
export const SERVED: Shape[] = [
  ...NAMES.map(([name, city, country]) => get(name, (n) => weatherOf(city(n), country(n)))),
  get('coordinates of 1,900 digits', (n) => weatherAt(`1.${n}${'0'.repeat(1900)}`, '1')),
  get('a coordinate of digits that is no number', (n) =>
    weatherAt(`${n}${'0'.repeat(1900)}x`, '1'),
  ),
  get('coordinates in an ocean', (n) => weatherAt(`-48.${n}`, `-123.${n}`)),
  ...PATHS.map(([name, path]) => get(name, (n) => `/api/v1/${path(n)}`)),
  ...MESSAGES.map(([name, method, params]) => message(name, method, params)),
];

/** Requests that are rejected, or have an answer that is the same for everybody. */
export const SHAPES: Shape[] = [
  get('names in a query: 7,500', `/api/v1/weather?${'a&'.repeat(7500)}`),
  get('cities in a query: 2,100', `/api/v1/weather?${'city=a&'.repeat(2100)}country=x`),
  get(
    'names in a query, as many as are accepted',
    (n) => `${WEATHER}&${`a${n}=${'%41'.repeat(12)}&`.repeat(40)}`,
  ),
  get('tags: 5,000', WEATHER, `If-None-Match: ${'"",'.repeat(5000)}\r\n`),
  get('quotes without an end', '/openapi.json', `If-None-Match: "${'W/'.repeat(7000)}\r\n`),
  get('cookies called session', WEATHER, `Cookie: ${'session=b; session.sig=c; '.repeat(550)}\r\n`),
  get('a cookie of 15 kB', WEATHER, `Cookie: session=${'a'.repeat(15_000)}; session.sig=b\r\n`),
  get('header lines: 3,000', WEATHER, 'a:b\r\n'.repeat(3000)),
  get('addresses by a proxy: 5,000', WEATHER, `X-Forwarded-For: ${','.repeat(5000)}1.2.3.4\r\n`),
  get('schemes by a proxy: 5,000', WEATHER, `X-Forwarded-Proto: ${'a,'.repeat(5000)}\r\n`),
  get('an origin of 15 kB', WEATHER, `Origin: http://${'a.'.repeat(7000)}b\r\n`),
  get('an origin with one international label', WEATHER, `Origin: http://xn--${HALVES}\r\n`),
  get('types to accept, all of HTML', '/', `Accept: ${'text/html;a="b";q=0.9,'.repeat(650)}\r\n`),
  get('codings of the page', '/', `Accept: text/html\r\nAccept-Encoding: ${GZIP}\r\n`),
  get('a trace of 15 kB', WEATHER, `traceparent: ${'0-'.repeat(7000)}\r\n`),
  get('an id of 15 kB', WEATHER, `X-Request-ID: ${'a'.repeat(15_000)}\r\n`),
  {
    name: 'a host of 15 kB',
    bytes: (client) => `GET ${WEATHER} HTTP/1.1\r\nHost: ${'a.'.repeat(7000)}!\r\n${client}\r\n`,
  },
  get('a URL with a host of 15 kB', `http://${'xn--a.'.repeat(2000)}/`),
  get('a URL with an international host', `http://${'xn--a-ecp.'.repeat(29)}/api/v1/health`),
  get('a path of 15 kB', `/${'a/'.repeat(7000)}`),
  get('a path of percent signs', `/api/v1/${'%25'.repeat(4500)}`),
  post('a body of 8,000 brackets', nested(8000)),
  post('a body of one number', `{"city":${'1'.repeat(16_000)},"country":"x"}`),
  post('a body of escapes', (n) => `{"city":"${'\\u0041'.repeat(2600)}${n}","country":"x"}`),
  post(
    'a body with a name of characters that are removed',
    (n) => `{"city":"${word(n, 3)}${'\u200b'.repeat(5000)}","country":"x"}`,
  ),
  post(
    'a body with a name of full-width letters',
    (n) => `{"city":"${word(n, 3)}${'ａ'.repeat(5000)}","country":"x"}`,
  ),
  post(
    'a body with a name whose last character is not allowed',
    (n) => `{"city":"${word(n, 780)}\\u0001","country":"x"}`,
  ),
  post('a body with a name of 16 kB', (n) => `{"city":"${word(n, 16_000)}","country":"x"}`),
  message('a call with 490 arguments', 'tools/call', callOf(many(490))),
  message('a message with 8,000 parts', 'tools/list', `{"a":${nested(8000)}}`),
];
