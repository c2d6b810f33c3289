import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { it } from 'node:test';
import { launchBrowser } from '../support/browser.js';
import { makeCertificate } from '../support/certificate.js';
import { listenLocally } from '../support/listen-locally.js';
import { startReplica } from '../support/service.js';

it('a page of another site has a session over TLS, although third-party cookies are blocked', async (t) => {
  const files = await makeCertificate(t);
  const pair = { key: await readFile(files.key), cert: await readFile(files.cert) };
  const replica = await startReplica({
    WEATHER_PROVIDERS: 'demo',
    TRUST_PROXY: '1',
    CORS_ORIGINS: '*',
  });
  t.after(() => replica.stop());
  const site = createServer(pair, (_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>page</title>');
  });
  const proxy = createServer(pair, (incoming, response) => {
    const headers = { ...incoming.headers, 'x-forwarded-proto': 'https' };
    const { url = '', method } = incoming;
    const onward = request(replica.url + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  const { port: sitePort } = new URL(await listenLocally(t, site));
  const { port: proxyPort } = new URL(await listenLocally(t, proxy));
  const browser = await launchBrowser([
    '--ignore-certificate-errors',
    '--host-resolver-rules=MAP page.example 127.0.0.1, MAP service.test 127.0.0.1',
    '--test-third-party-cookie-phaseout',
  ]);
  t.after(() => browser.close());

  const tab = await browser.newPage();
  await tab.goto(`https://page.example:${sitePort}`);
  const searches = await tab.evaluate(`(async () => {
    const ask = async (path) => {
      const url = 'https://service.test:${proxyPort}' + path;
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
