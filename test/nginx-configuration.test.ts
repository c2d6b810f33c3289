import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EXPOSED_HEADERS } from '../src/http/edge/cors.js';
import { description3 } from '../tools/openapi/index.js';

const TEMPLATE = fileURLToPath(new URL('../k8s/nginx/weather.conf.template', import.meta.url));

interface DescribedResponse {
  $ref?: string;
  headers: Record<string, unknown>;
}
interface Description {
  paths: Record<string, { get?: { responses: { 200: DescribedResponse } } }>;
  components: { responses: Record<string, DescribedResponse> };
}

describe('the configuration of nginx', () => {
  it('lets pages read the headers that the service lets them read', () => {
    assert.ok(readFileSync(TEMPLATE, 'utf8').includes(`default "${EXPOSED_HEADERS}";`));
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
    const { paths, components } = description3 as unknown as Description;
    const isPublic = ({ $ref, headers }: DescribedResponse): boolean =>
      $ref === undefined
        ? JSON.stringify(headers['Cache-Control']).includes('public')
        : isPublic(components.responses[$ref.split('/').at(-1)!]!);
    const found = Object.entries(paths)
      .filter(([, { get }]) => get && isPublic(get.responses[200]))
      .map(([path]) => path);
    assert.ok(found.includes('/api/v1/places'));
    const [, cached = ''] = /location ~ (\S+) \{/.exec(readFileSync(TEMPLATE, 'utf8')) ?? [];
    assert.deepEqual(
      found.filter((path) => !new RegExp(cached).test(path)),
      [],
    );
  });
});
