import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { description3 } from '../../tools/openapi/index.js';
import type { Operation } from '../../tools/openapi/types.js';
import { JSON_HEADERS } from '../../src/http/answer.js';
import { useService } from '../support/conformance.js';
import { cookieOf } from '../support/cookies.js';
import { anyClient, ask, type Answer, type RequestOptions } from '../support/http-client.js';
import { listenLocally } from '../support/listen-locally.js';

/**
 * The API description promises nothing that the service does not do. The other direction, that the
 * service does nothing undescribed, is checked for every response of every test by
 * `test/support/described-responses.ts`.
 */

/** Statuses that need a fault, and have tests of their own. */
const FAULTS = ['408', '500', '503'];
const LIMIT = 3;
/** Suggestions have ten times the limit. */
const ABOVE_EVERY_LIMIT = 10 * LIMIT + 1;
const INVALID = '<';
const UNKNOWN = { units: 'imperial' };
const BODY = { city: 'Paris', country: 'France' };
/** Similar to a city of every country of the examples. */
const MISSPELLED = 'Pariss';

const operations = Object.entries(description3.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const searchOf = ({ parameters = [] }: Operation) =>
  parameters.filter((parameter) => parameter.in === 'query');

it('a response with a member that is not described fails the test that receives it', async (t) => {
  const headers = {
    ...JSON_HEADERS,
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-ID': 'any',
  };
  const url = await listenLocally(t, (_request, response) => {
    response.writeHead(200, headers).end(`${JSON.stringify({ status: 'alive', more: 1 })}\n`);
  });
  await assert.rejects(ask(`${url}/api/v1/health/live`), /must NOT have additional properties/);
});

const folder = mkdtempSync(join(tmpdir(), 'weather-clients-'));
const CLIENTS_FILE = join(folder, 'clients');
writeFileSync(CLIENTS_FILE, `app ${'a'.repeat(64)}\n`);
after(() => {
  rmSync(folder, { recursive: true });
});

describe('the API description', () => {
  const fixture = useService({
    WEATHER_PROVIDERS: 'demo',
    TRUST_PROXY: '1',
    CLIENTS_FILE,
    RATE_LIMIT_PER_IP: String(LIMIT),
    RATE_LIMIT_TOTAL: '100000',
  });
  let clients = 0;

  for (const { path, method, operation } of operations) {
    const examples = Object.fromEntries(
      searchOf(operation).map(({ name, example }) => [name, String(example)]),
    );
    const hasBody = operation.requestBody !== undefined;

    /** Sends a request with valid parameters, except for those given, from a new client. */
    function send(
      parameters: Record<string, string> = {},
      options: RequestOptions = {},
    ): Promise<Answer> {
      const query = new URLSearchParams({ ...examples, ...parameters }).toString();
      const target = query === '' ? path : `${path}?${query}`;
      const headers = { ...anyClient((clients += 1)), ...options.headers };
      return ask(fixture.url + target, {
        method: method.toUpperCase(),
        ...(hasBody ? { body: BODY } : {}),
        ...options,
        headers,
      });
    }

    async function cookieOfNewSession(): Promise<string> {
      const query = new URLSearchParams(BODY).toString();
      const headers = anyClient((clients += 1));
      return cookieOf(await ask(`${fixture.url}/api/v1/weather?${query}`, { headers }));
    }

    /** One response of each status that needs no fault. */
    async function responses(): Promise<Answer[]> {
      const valid = await send(UNKNOWN, hasBody ? { body: { ...BODY, ...UNKNOWN } } : {});
      const answers = [valid];
      const Cookie = await cookieOfNewSession();
      answers.push(await send({}, { headers: { Cookie } }));
      const { etag } = valid.headers;
      if (etag) answers.push(await send(UNKNOWN, { headers: { 'If-None-Match': etag } }));
      for (const name of Object.keys(examples)) answers.push(await send({ [name]: INVALID }));
      if ('city' in examples) answers.push(await send({ city: MISSPELLED }));
      if (hasBody) {
        answers.push(await send({}, { body: { ...BODY, city: MISSPELLED } }));
        const headers = { 'Content-Type': 'application/json' };
        answers.push(await send({}, { headers, body: '{' }));
        answers.push(await send({}, { headers, body: 'x'.repeat(20_000) }));
      }
      answers.push(await send({}, { headers: { Authorization: 'Bearer unknown' } }));
      const headers = anyClient((clients += 1));
      for (let n = 0; n < ABOVE_EVERY_LIMIT; n += 1) {
        const answer = await send({}, { headers });
        if (answer.status !== 429) continue;
        answers.push(answer);
        break;
      }
      return answers;
    }

    it(`${method.toUpperCase()} ${path} sends every described status with every described header`, async () => {
      const answers = await responses();
      for (const [status, response] of Object.entries(operation.responses)) {
        if (FAULTS.includes(status)) continue;
        const seen = answers.filter((answer) => String(answer.status) === status);
        assert.ok(seen.length > 0, `status ${status}`);
        const name = response.$ref?.split('/').at(-1);
        const { headers = {} } = name ? description3.components.responses[name]! : response;
        const sent = new Set(seen.flatMap((answer) => Object.keys(answer.headers)));
        // Only a rejection by the limit on fetches comes after the session.
        if (status === '429') sent.add('set-cookie');
        const missing = Object.keys(headers).filter((header) => !sent.has(header.toLowerCase()));
        assert.deepEqual(missing, [], `headers of ${status}`);
      }
    });
  }
});
