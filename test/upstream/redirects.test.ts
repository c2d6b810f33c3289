import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { describe, it } from 'node:test';
import { redirectOnHost } from '../../src/upstream/failures.js';
import { makeCertificate } from '../support/certificate.js';
import { listenLocally } from '../support/listen-locally.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { startReplica } from '../support/service.js';
import { startStubProvider } from '../support/stub-provider.js';

describe('a redirect on the host of the provider', () => {
  const from = new URL('https://api.example/a?b=1');
  const target = (location: string | null, status = 301) =>
    redirectOnHost(from, { status, headers: { get: () => location }, body: '' })?.href;

  it('may lead to another path, over HTTPS', () => {
    assert.equal(target('/c?d=2'), 'https://api.example/c?d=2');
    assert.equal(target('https://api.example/c'), 'https://api.example/c');
    assert.equal(target('https://API.example:443/c'), 'https://api.example/c');
    for (const status of [302, 303, 307, 308]) assert.ok(target('/c', status));
  });

  it('leads nowhere else', () => {
    for (const location of [
      ...['http://api.example/c', 'https://api.example:444/c', 'https://sub.api.example/c'],
      ...['https://api.example.evil.example/c', '//evil.example/c', 'https://169.254.169.254/'],
      ...['https://user@api.example/c', 'https://:word@api.example/c'],
      ...['file:///etc/passwd', 'http://', null],
    ]) {
      assert.equal(target(location), undefined, String(location));
    }
    assert.equal(target('/c', 304), undefined);
    assert.equal(target('/c', 200), undefined);
  });
});

describe('MET Norway', () => {
  it('is followed for one redirect, and not for the next', async (t) => {
    const { key, cert } = await makeCertificate(t);
    const stub = await startStubProvider();
    t.after(() => stub.close());
    /** The number of redirects before the response. */
    let redirects = 1;
    let requests = 0;
    const server = createServer(
      { key: await readFile(key), cert: await readFile(cert) },
      (request, response) => {
        requests += 1;
        const url = new URL(request.url ?? '', 'https://host');
        const hop = Number(url.searchParams.get('hop'));
        if (hop < redirects) {
          url.searchParams.set('hop', String(hop + 1));
          response.writeHead(301, { location: url.pathname + url.search }).end();
          return;
        }
        const headers = {
          'user-agent': String(request.headers['user-agent']),
          connection: 'close',
        };
        void fetch(stub.url + url.pathname + url.search, { headers }).then(async (answer) => {
          response.writeHead(answer.status, { expires: answer.headers.get('expires') ?? '' });
          response.end(await answer.text());
        });
      },
    );
    const address = new URL(await listenLocally(t, server));
    const replica = await startReplica({
      WEATHER_PROVIDERS: 'met-norway',
      MET_NORWAY_URL: `https://${address.host}`,
      UPSTREAM_USER_AGENT: 'redirected/1.0 ops@example.org',
      NODE_EXTRA_CA_CERTS: cert,
    });
    t.after(() => replica.stop());

    assert.equal((await attempt(replica.url + placePath(1))).status, 200);
    assert.equal(stub.calls[0]?.headers['user-agent'], 'redirected/1.0 ops@example.org');
    assert.equal(requests, 2);
    redirects = 2;
    assert.equal((await attempt(replica.url + placePath(2))).status, 503);
    assert.deepEqual([requests, stub.calls.length], [4, 1]);
  });
});
