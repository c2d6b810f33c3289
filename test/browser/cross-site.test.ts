import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { complaintsOf, launchBrowser, partsOf } from '../support/browser.js';
import { makeCertificate } from '../support/certificate.js';
import { suiteLifetime } from '../support/lifetime.js';
import { startReplica, type Service } from '../support/service.js';

/** Over TLS, in a real browser: a page of another site that calls the API, and the page of the service. */

const OVER_TLS = [
  '--ignore-certificate-errors',
  '--host-resolver-rules=MAP page.example 127.0.0.1, MAP service.test 127.0.0.1',
];

const lifetime = suiteLifetime();
let replica: Service;
let page: Server;
let proxy: Server;
/** A browser that blocks third-party cookies. */
let browser: Browser;

/** Returns the address of a server under a host name. The browser resolves these names by `OVER_TLS`. */
function urlOf(name: string, server: Server): string {
  return `https://${name}:${(server.address() as AddressInfo).port}`;
}

before(async () => {
  const files = await makeCertificate(lifetime);
  const pair = { key: await readFile(files.key), cert: await readFile(files.cert) };
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
  browser = await launchBrowser([...OVER_TLS, '--test-third-party-cookie-phaseout']);
});

after(async () => {
  await browser.close();
  for (const server of [page, proxy]) {
    server.close();
    server.closeAllConnections();
  }
  await replica.stop();
});

describe('a page of another site', () => {
  it('has a session, although third-party cookies are blocked', async () => {
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
  });
});

describe('the page at /', () => {
  it('page over TLS: it works behind a proxy, without a violation of its policy', async () => {
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
  });
});
