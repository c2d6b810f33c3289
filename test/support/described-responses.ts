import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { description3 } from '../../tools/openapi/index.js';
import { nameIn, type Response } from '../../tools/openapi/types.js';
import { MCP_PATH } from '../../src/http/mcp/protocol.js';
import { JSON_HEADERS } from '../../src/http/answer.js';
import { closed } from './closed-schemas.js';
import type { Answer } from './http-client.js';
import { codeIn, rowsOf, sectionOf } from './markdown.js';

/** The API description and docs/clients.md must describe every response that a test sees. */

/** The description of the responses of one operation with one status. */
interface Expectation {
  /** Undefined: no body. */
  body: ValidateFunction | undefined;
  headers: ValidateFunction;
  /** The names of the headers, in lower case. */
  named: Set<string>;
}

const ID = 'openapi.json';
const ERROR = '/components/schemas/Error';
const document = closed(description3);
/** Statuses of unknown paths and of invalid HTTP. The description mentions them in its text. */
const OF_HTTP = [400, 401, 403, 404, 405, 408, 413, 431];
const FAULTS_OF_HTTP = ['Bad request', 'Request timeout', 'Request header fields too large'];
const DOCUMENTS = ['/apispec.json', '/openapi.json'];
/** Headers that must be described if a response has them. */
const OWN_HEADERS =
  /^(age|cache-control|etag|retry-after|set-cookie|ratelimit(-policy)?|x-ratelimit-(limit|remaining|reset)|x-cache|x-request-id|x-weather.*)$/;

// Another test validates the description. Here it would take 0.2 s of CPU time per test file.
const options = { strict: false, allErrors: true, validateFormats: false, validateSchema: false };
const bodies = new Ajv2020(options).addSchema(document, ID);
// Header values are strings, also those that are described as numbers.
const texts = new Ajv2020({ ...options, coerceTypes: true });
const expectations = new Map<string, Expectation>();

/** Each status and title of an error that docs/clients.md lists. */
const listedErrors = new Set(
  rowsOf(sectionOf(readFileSync('docs/clients.md', 'utf8'), '## Errors')).flatMap(
    ([status = '', titles = '']) => codeIn(titles).map((title) => `${status} ${title}`),
  ),
);

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

const schemaAt = (pointer: string) => {
  const validate = bodies.getSchema(`${ID}#${pointer}`);
  assert.ok(validate, pointer);
  return validate;
};

function expectationAt(pointer: string, response: Response): Expectation {
  const described = Object.entries(response.headers ?? {}).map(
    ([name, { $ref }]) => [name, document.components.headers[nameIn($ref)]!] as const,
  );
  return {
    named: new Set(described.map(([name]) => name.toLowerCase())),
    body: response.content && schemaAt(`${pointer}/content/application~1json/schema`),
    headers: texts.compile({
      required: described.flatMap(([name, { required }]) => (required ? name.toLowerCase() : [])),
      properties: Object.fromEntries(
        described.map(([name, { schema }]) => [name.toLowerCase(), schema]),
      ),
    }),
  };
}

/** Undefined: the description has no such operation or status. */
function expectationOf(path: string, method: string, status: number): Expectation | undefined {
  const key = `${method} ${path} ${status}`;
  const known = expectations.get(key);
  if (known) return known;
  const response = document.paths[path]?.[method]?.responses[status];
  if (!response) return undefined;
  const name = response.$ref?.split('/').at(-1);
  const expectation = name
    ? expectationAt(`/components/responses/${name}`, document.components.responses[name]!)
    : expectationAt(`/paths/${escaped(path)}/${method}/responses/${status}`, response);
  expectations.set(key, expectation);
  return expectation;
}

/** Asserts that a response is described. Ignores other servers, and errors that nginx may send. */
export function assertDescribed(method: string, answer: Answer): void {
  const { url, status, headers } = answer;
  if (headers['content-security-policy'] !== JSON_HEADERS['Content-Security-Policy']) return;
  if (String(headers['server']).startsWith('nginx') && status >= 400) return;
  const what = `${method} ${url.slice(0, 300)}: ${status} ${answer.text.slice(0, 300)}`;
  const path = url.slice(new URL(url).origin.length).split('?')[0]!;
  const { error } = (answer.json ?? {}) as { error?: unknown };
  const title = typeof error === 'string' ? error : '';
  if (status >= 400 && title !== '') {
    assert.ok(listedErrors.has(`${status} ${title}`), `docs/clients.md does not list ${what}`);
  }
  // The Model Context Protocol describes its messages.
  if (path === MCP_PATH && title === '') return;
  const isBare = method === 'HEAD';
  const verb = isBare ? 'get' : method.toLowerCase();
  const expectation = expectationOf(path, verb, status);
  if (expectation) {
    assertFits(expectation, isBare, answer, what);
    return;
  }
  const operation = document.paths[path]?.[verb];
  let isKnown = !isJson(answer) || DOCUMENTS.includes(path);
  if (status >= 400)
    isKnown = operation ? FAULTS_OF_HTTP.includes(title) : OF_HTTP.includes(status);
  assert.ok(isKnown, `the description does not have ${what}`);
  if (status >= 400 && !isBare) assertFit(schemaAt(ERROR), answer.json, what);
}

function assertFits(expected: Expectation, isBare: boolean, answer: Answer, what: string): void {
  const texted = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  assertFit(expected.headers, Object.fromEntries(texted), `headers of ${what}`);
  const unnamed = Object.keys(answer.headers).filter((name) => !expected.named.has(name));
  assert.deepEqual(
    unnamed.filter((name) => OWN_HEADERS.test(name)),
    [],
    `tools/openapi/openapi.yaml does not describe these headers of ${what}`,
  );
  if (isBare || !expected.body) assert.equal(answer.text, '', what);
  else {
    assert.ok(isJson(answer), what);
    assertFit(expected.body, answer.json, what);
  }
}

const isJson = ({ headers }: Answer) =>
  headers['content-type']?.startsWith('application/json') === true;

function assertFit(validate: ValidateFunction, value: unknown, what: string): void {
  const isValid = validate(value);
  const errors = bodies.errorsText(validate.errors);
  assert.ok(isValid, `${errors}, which tools/openapi/openapi.yaml does not describe: ${what}`);
}
