import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXPOSED_HEADERS } from '../src/http/edge/cors.js';
import { description3 } from '../tools/openapi/index.js';

const TEMPLATE = fileURLToPath(new URL('../k8s/nginx/weather.conf.template', import.meta.url));

describe('the configuration of nginx', () => {
  it('lets pages read the headers that the service lets them read', () => {
    assert.ok(readFileSync(TEMPLATE, 'utf8').includes(`default "${EXPOSED_HEADERS}";`));
  });

  it('lets pages read each header that is described, unless browsers always or never do', () => {
    const browsers = ['Cache-Control', 'Content-Language', 'Set-Cookie'];
    const described = Object.keys(description3.components.headers).map(
      (name) => name.split('.')[0]!,
    );
    assert.deepEqual(
      EXPOSED_HEADERS.split(', ').sort(),
      [...new Set(described)].filter((name) => !browsers.includes(name)).sort(),
      'compare EXPOSED_HEADERS in src/http/edge/cors.ts with tools/openapi/openapi.yaml',
    );
  });

  it('counts the connections of an IPv6 address by its /64', () => {
    const [clients = ''] =
      /^map \$remote_addr [^]*?^\}/m.exec(readFileSync(TEMPLATE, 'utf8')) ?? [];
    const patterns = [...clients.matchAll(/"~(\S+)"/g)].map(([, text = '']) => new RegExp(text));
    const clientOf = (address: string) =>
      patterns.map((pattern) => pattern.exec(address)?.[1]).find((client) => client !== undefined);
    assert.equal(clientOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2:');
    assert.equal(clientOf('2001:db8:1:2::6'), '2001:db8:1:2:');
    assert.equal(clientOf('2001:db8::6'), '2001:db8:');
    assert.equal(clientOf('203.0.113.7'), undefined);
  });

  it('has a cache for each path whose responses are public', () => {
    const found = Object.entries(description3.paths)
      .filter(([, { get }]) => {
        const { $ref = '' } = get?.responses['200']?.headers?.['Cache-Control'] ?? {};
        return /public|day/.test($ref);
      })
      .map(([path]) => path);
    assert.ok(found.includes('/api/v1/places'));
    const [, cached = ''] = /location ~ (\S+) \{/.exec(readFileSync(TEMPLATE, 'utf8')) ?? [];
    assert.deepEqual(
      found.filter((path) => !new RegExp(cached).test(path)),
      [],
    );
  });
});
