import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { complaintsOf, launchBrowser, partsOf } from '../support/browser.js';
import { ensureCommand } from '../support/packages.js';
import { startReplica, type Service } from '../support/service.js';

/** Over TLS, in a real browser: a page of one site with the service on another, and its own page. */

const OVER_TLS = [
  '--ignore-certificate-errors',
  '--host-resolver-rules=MAP page.example 127.0.0.1, MAP service.test 127.0.0.1',
];

let replica: Service;
let page: Server;
let proxy: Server;

async function certificate(): Promise<{ key: Buffer; cert: Buffer }> {
  ensureCommand('openssl', 'openssl');
  const folder = await mkdtemp(join(tmpdir(), 'weather-browser-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  // prettier-ignore
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2',
    '-subj', '/CN=test', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const pair = { key: await readFile(key), cert: await readFile(cert) };
  await rm(folder, { recursive: true });
  return pair;
}

/** Where a name leads is told to the browser: nothing here resolves. */
function urlOf(name: string, server: Server): string {
  return `https://${name}:${(server.address() as AddressInfo).port}`;
}

before(async () => {
  const pair = await certificate();
  replica = await startReplica({
    WEATHER_PROVIDERS: 'demo',
    TRUST_PROXY: '1',
    CORS_ORIGINS: '*',
  });
  page = createServer(pair, (_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>page</title>');
  }).listen(0, '127.0.0.1');
  proxy = createServer(pair, (incoming, response) => {
    const headers = { ...incoming.headers, 'x-forwarded-proto': 'https' };
    const { url, method } = incoming;
    const onward = request(replica.url + (url ?? ''), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await Promise.all([once(page, 'listening'), once(proxy, 'listening')]);
});

after(async () => {
  for (const server of [page, proxy]) {
    server.close();
    server.closeAllConnections();
  }
  await replica.stop();
});

describe('a page of another site', () => {
  for (const [what, args] of [
    ['allowed', ['--disable-features=TrackingProtection3pcd']],
    ['blocked', ['--test-third-party-cookie-phaseout']],
  ] as const) {
    it(`has a session where third-party cookies are ${what}`, async () => {
      const browser = await launchBrowser([...OVER_TLS, ...args]);
      try {
        const tab = await browser.newPage();
        await tab.goto(urlOf('page.example', page));
        const searches = await tab.evaluate(`(async () => {
          const ask = async (path) => {
            const url = ${JSON.stringify(urlOf('service.test', proxy))} + path;
            return (await fetch(url, { credentials: 'include' })).json();
          };
          await ask('/api/v1/weather?city=Seattle&country=USA');
          await ask('/api/v1/weather?city=Oslo&country=Norway');
          return ask('/api/v1/recent-searches');
        })()`);
        assert.deepEqual(searches, {
          recent_searches: [
            { city: 'Oslo', country: 'Norway' },
            { city: 'Seattle', country: 'USA' },
          ],
        });
      } finally {
        await browser.close();
      }
    });
  }
});

describe('the page at /', () => {
  it('works behind a proxy and over TLS, within its policy', async () => {
    const browser = await launchBrowser(OVER_TLS);
    try {
      const tab = await browser.newPage();
      const complaints = await complaintsOf(tab);
      await tab.goto(`${urlOf('service.test', proxy)}/`);
      const { field, options, shows, recent } = partsOf(tab);
      await field.fill('seatt');
      await options.first().click();
      await shows('Seattle, United States');
      await recent.first().waitFor();
      const [cookie] = await tab.context().cookies();
      assert.deepEqual([cookie?.secure, cookie?.httpOnly], [true, true]);
      assert.deepEqual(complaints, []);
    } finally {
      await browser.close();
    }
  });
});
