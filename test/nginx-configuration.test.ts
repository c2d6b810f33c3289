import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXPOSED_HEADERS } from '../src/http/edge/exposed-headers.js';
import { description3 } from '../tools/openapi/index.js';

const TEMPLATE = fileURLToPath(new URL('../k8s/nginx/weather.conf.template', import.meta.url));

describe('the configuration of nginx', () => {
  it('lets pages read each header that is described, unless browsers always or never do', () => {
    const browsers = ['Cache-Control', 'Content-Language', 'Set-Cookie'];
    const described = Object.keys(description3.components.headers).map(
      (name) => name.split('.')[0]!,
    );
    assert.deepEqual(
      EXPOSED_HEADERS.split(', ').sort(),
      [...new Set(described)].filter((name) => !browsers.includes(name)).sort(),
      'compare EXPOSED_HEADERS in src/http/edge/exposed-headers.ts with tools/openapi/openapi.yaml',
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
});
