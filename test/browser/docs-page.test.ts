import Koa from 'koa';
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createDocs } from '../../src/http/docs/docs.js';
import { createDescription } from '../../src/http/docs/openapi/index.js';
import { OFFLINE, complaintsOf, launchBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';

const HEALTH = { status: 'ok', service: 'weather-lookup-service', version: '9.8.7' };

let server: Server;
let origin: string;
let browser: Browser;

before(async () => {
  const app = new Koa();
  app.use(createDocs(createDescription({ version: '9.8.7' })));
  app.use((ctx) => {
    if (ctx.path === '/api/v1/health') ctx.body = { ...HEALTH, cookie: ctx.get('cookie') };
  });
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchBrowser([OFFLINE]);
});

after(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens the page; `trouble` collects whatever the browser refused, missed or complained about. */
async function open(
  colorScheme: 'light' | 'dark' = 'light',
): Promise<{ page: Page; trouble: string[]; asked: URL[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
  const trouble = await complaintsOf(page);
  const asked: URL[] = [];
  page.on('request', (request) => asked.push(new URL(request.url())));
  await page.goto(`${origin}/apidocs`);
  await page.locator('.opblock').first().waitFor();
  return { page, trouble, asked };
}

describe('the documentation page in a browser', () => {
  it('the page lists all twelve operations under their four tags', async () => {
    const { page } = await open();
    const methods = await page.locator('.opblock-summary-method').allTextContents();
    const paths = await page.locator('.opblock-summary-path').allTextContents();
    // Swagger UI puts zero-width spaces where a long path may wrap.
    const operations = methods.map(
      (method, i) => `${method} ${paths[i]!.replaceAll('\u200b', '')}`,
    );
    assert.deepEqual(operations, [
      'GET /api/v1/weather',
      'POST /api/v1/weather',
      'GET /api/v1/weather/coordinates',
      'GET /api/weather',
      'POST /api/weather',
      'GET /api/v1/recent-searches',
      'DELETE /api/v1/recent-searches',
      'GET /api/v1/places',
      'GET /api/v1/health',
      'GET /api/v1/health/live',
      'GET /api/v1/health/ready',
      'GET /api/health',
    ]);
    const headings = await page.locator('.opblock-tag').all();
    const tags = await Promise.all(headings.map((heading) => heading.getAttribute('data-tag')));
    assert.deepEqual(tags, ['weather', 'searches', 'places', 'health']);
    await page.close();
  });

  it('every part of the page opens without another host and without breaking its policy', async () => {
    const { page, trouble, asked } = await open();
    const summaries = page.locator('.opblock-summary-control');
    for (let index = 0; index < (await summaries.count()); index++)
      await summaries.nth(index).click();
    assert.equal(await page.locator('.opblock.is-open').count(), 12);
    for (const model of await page.locator('.models .model-container button').all()) {
      await model.click();
    }
    await page.locator('.btn.authorize').first().click();
    await page.locator('.dialog-ux .close-modal').click();
    assert.deepEqual(trouble, []);
    assert.deepEqual([...new Set(asked.map((url) => url.origin))], [origin]);
    await page.close();
  });

  it('the page begins with what a newcomer needs', async () => {
    const { page } = await open();
    const [heading, next] = await page.locator('.info .markdown h2').allTextContents();
    assert.deepEqual([heading, next], ['Start here', 'In detail']);
    assert.match(
      await page.locator('.info .markdown pre').first().innerText(),
      /^curl .*city=Paris/,
    );
    for (const topic of ['Limits.', 'Sessions.', 'Credit.', 'Clients.']) {
      assert.equal(await page.locator('.info li').getByText(topic).isVisible(), true, topic);
    }
    await page.close();
  });

  it('the page has the colours that the reader prefers, also when that changes', async () => {
    const { page, trouble } = await open('dark');
    const brightness = () =>
      page.evaluate<number[]>(`['body', '.swagger-ui'].map((name) =>
        Number(getComputedStyle(document.querySelector(name)).backgroundColor.match(/\\d+/)[0]))`);
    for (const value of await brightness()) assert.ok(value < 50, String(value));
    await page.emulateMedia({ colorScheme: 'light' });
    await eventually(async () => (await brightness())[0] === 250, 'light colours');
    assert.deepEqual(trouble, []);
    await page.close();
  });

  it('the page shows where its data comes from', async () => {
    const { page } = await open();
    const links = page.locator('.info a');
    for (const name of ['Weather data by Open-Meteo.com', 'Data from MET Norway', 'GeoNames']) {
      assert.equal(await links.getByText(name, { exact: true }).isVisible(), true, name);
    }
    await page.close();
  });

  it('"Try it out" asks this service with the cookies of the browser and shows the answer', async () => {
    const { page, trouble } = await open();
    await page.context().addCookies([{ name: 'session', value: 'abc', url: origin }]);
    const block = page.locator('#operations-health-getHealth');
    await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = block.locator('.live-responses-table .response');
    await answer.waitFor();
    assert.equal(await answer.locator('.response-col_status').first().innerText(), '200');
    const body = await answer.locator('.highlight-code code').first().innerText();
    assert.deepEqual(JSON.parse(body), { ...HEALTH, cookie: 'session=abc' });
    assert.deepEqual(trouble, []);
    await page.close();
  });

  it('the policy holds: a script that the page does not carry itself is refused', async () => {
    const { page, trouble } = await open();
    await page.evaluate(`
    const script = document.createElement('script');
    script.textContent = 'document.title = "injected"';
    document.body.append(script);
  `);
    assert.equal(await page.title(), 'Weather lookup service');
    assert.ok(trouble.some((complaint) => complaint.startsWith('script-src')));
    await page.close();
  });
});
