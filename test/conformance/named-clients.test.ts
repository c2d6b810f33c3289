import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { assertErrorForm, useService, weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ask, type Answer } from '../support/http-client.js';
import { callIn } from '../support/mcp.js';

const folder = mkdtempSync(join(tmpdir(), 'weather-clients-'));
const FILE = join(folder, 'clients');
const KEYS = { gateway: 's3cret-gateway', plain: 's3cret-plain' };
const line = (name: keyof typeof KEYS, limit = '') =>
  `${name} ${hash('sha256', KEYS[name])} ${limit}\n`;
const BOTH = line('gateway', '5/3600') + line('plain');
const DATA = join(folder, '..data');
/**
 * Replaces the file as Kubernetes does: by a link to a new folder.
 * @param size bytes to which the file is extended
 */
function replaceFile(text: string, size = text.length): void {
  const version = mkdtempSync(join(folder, '..version-'));
  writeFileSync(join(version, 'clients'), text);
  truncateSync(join(version, 'clients'), size);
  symlinkSync(version, join(folder, '..next'));
  renameSync(join(folder, '..next'), DATA);
}
replaceFile(BOTH);
symlinkSync('..data/clients', FILE);
after(() => {
  rmSync(folder, { recursive: true });
});

const PATH = weatherOf('Oslo', 'Norway', '/api/v1/conditions');
const BEARER = Object.fromEntries(
  Object.entries(KEYS).map(([name, key]) => [name, `Bearer ${key}`]),
) as Record<keyof typeof KEYS, string>;
const leftOf = ({ headers }: Answer) => String(headers['ratelimit']).replaceAll(/;t=\d+/g, '');

describe('a named client', () => {
  const fixture = useService({
    CLIENTS_FILE: FILE,
    MCP_ENABLED: 'true',
    RATE_LIMIT_PER_IP: '3',
    RATE_LIMIT_PER_IP_WINDOW_SECONDS: '3600',
    RATE_LIMIT_TOTAL: '100',
    TRUST_PROXY: '1',
  });
  const get = (Authorization: string | undefined, ip = '203.0.113.1', path = PATH) =>
    ask(fixture.url + path, {
      headers: { 'X-Forwarded-For': ip, ...(Authorization !== undefined && { Authorization }) },
    });

  it('has a window of its own, from whatever IP, and with a limit of its own none of the total', async () => {
    assert.equal(leftOf(await get(undefined)), '"ip";r=2, "total";r=99');
    assert.equal(leftOf(await get(BEARER.plain)), '"client";r=2, "total";r=98');
    for (const [n, ip] of ['203.0.113.2', '203.0.113.3', '2001:db8::1', '203.0.113.1'].entries()) {
      const answer = await get(BEARER.gateway, ip);
      assert.deepEqual([answer.status, leftOf(answer)], [200, `"client";r=${4 - n}`]);
      assert.match(String(answer.headers['ratelimit-policy']), /^"client";q=5;w=3600$/);
    }
    await get(`bearer   ${KEYS.gateway} `, '203.0.113.9');
    const rejected = await get(BEARER.gateway);
    assertErrorForm(rejected, 429, 'Rate limit exceeded');
    assert.match(rejected.text, /The limit of 5 requests of this client is exceeded/);
    assert.equal(leftOf(await get(undefined)), '"ip";r=1, "total";r=97');
  });

  it('has its name in the record of a tool call, and one window for tools and requests', async () => {
    const callWith = async (Authorization: string) => {
      const message = callIn('2025-11-25', 'current_weather', { city: 'Oslo', country: 'Norway' });
      const { headers, body } = message;
      const options = { method: 'POST', body, headers: { ...headers, Authorization } };
      return (await ask(`${fixture.url}/mcp`, options)).text;
    };
    assert.match(await callWith(BEARER.gateway), /of this client is exceeded.*"isError":true/);
    assert.doesNotMatch(await callWith(BEARER.plain), /isError":true/);
    assert.equal(leftOf(await get(BEARER.plain)), '"client";r=0, "total";r=95');
    const recordsOfCalls = () => fixture.service.records.filter(({ via }) => via === 'mcp');
    await eventually(() => recordsOfCalls().length === 2, 'the records of both calls');
    assert.deepEqual(
      recordsOfCalls().map(({ client, status }) => [client, status]),
      [
        ['gateway', 429],
        ['plain', 200],
      ],
    );
  });

  it('is in the record and in no other output, and its key is nowhere', async () => {
    await get(BEARER.plain, '203.0.113.50', '/api/v1/places?q=os');
    await eventually(
      () => fixture.service.records.some((record) => record['client'] === 'plain'),
      'the record',
    );
    assert.doesNotMatch(JSON.stringify(fixture.service.records), /s3cret/);
  });

  it('with an unknown key is 401 on every path that has limits, and on no other', async () => {
    for (const authorization of [
      'Bearer s3cret',
      `Bearer ${KEYS.plain}x`,
      `Bearer ${hash('sha256', KEYS.plain)}`,
      'Bearer',
      'Basic dTpw',
      KEYS.plain,
      `Bearer ${'k'.repeat(2000)}`,
    ]) {
      for (const path of [PATH, '/api/v1/places?q=os', '/api/v1/recent-searches', '/api/weather']) {
        const answer = await get(authorization, '203.0.113.60', path);
        assertErrorForm(answer, 401, 'Unauthorized');
        assert.equal(answer.headers['www-authenticate'], 'Bearer');
        assert.equal(answer.headers['x-ratelimit-limit'], undefined);
      }
      const message = callIn('2025-11-25', 'find_places', { q: 'os' });
      const { headers, body } = message;
      const mcp = await ask(`${fixture.url}/mcp`, {
        ...{ method: 'POST', body },
        headers: { ...headers, Authorization: authorization },
      });
      assert.equal(mcp.status, 401);
      for (const path of ['/api/health', '/apidocs/', '/llms.txt']) {
        assert.equal((await get(authorization, '203.0.113.60', path)).status, 200);
      }
      assert.equal((await get(authorization, '203.0.113.60', '/nothing')).status, 404);
    }
  });

  it('that was removed is 401, and a damaged file changes nothing', async () => {
    const statusOf = async () =>
      (await get(BEARER.plain, '203.0.113.70', '/api/v1/places?q=os')).status;
    const warnings = () =>
      fixture.service.records.filter(({ event }) => event === 'clients_file_damaged');
    replaceFile(`${line('gateway')}plain damaged\n`);
    await eventually(() => warnings().length === 1, 'a warning', 20_000);
    assert.match(JSON.stringify(warnings()), /line 2 has no SHA-256/);
    rmSync(DATA);
    await eventually(() => warnings().length === 2, 'another warning', 20_000);
    // More than Node.js could read: its size is checked before it is read.
    replaceFile('', 3 * 2 ** 30);
    await eventually(() => warnings().length === 3, 'a third warning', 20_000);
    assert.match(JSON.stringify(warnings()), /it is larger than 1 MB/);
    assert.equal(await statusOf(), 200);
    replaceFile(line('gateway'));
    await eventually(async () => (await statusOf()) === 401, 'a rejection', 20_000);
    replaceFile(BOTH);
    await eventually(async () => (await statusOf()) !== 401, 'the client', 20_000);
  });
});

describe('without CLIENTS_FILE', () => {
  const fixture = useService();

  it('the header is ignored', async () => {
    const headers = { Authorization: 'Bearer s3cret' };
    const answer = await ask(fixture.url + PATH, { headers });
    assert.equal(answer.status, 200);
  });
});
