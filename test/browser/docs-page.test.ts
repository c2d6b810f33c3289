import Koa from 'koa';
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { RequestState } from '../../src/http/context.js';
import { parseTarget } from '../../src/http/request-target.js';
import { createDocs } from '../../src/http/docs/docs.js';
import { description } from '../../tools/openapi/index.js';
import { complaintsOf, useBrowser } from '../support/browser.js';
import { suiteLifetime } from '../support/lifetime.js';
import { listenLocally } from '../support/listen-locally.js';

const HEALTH = { status: 'ok', service: 'weather-lookup-service', version: '9.8.7' };

/** Number of operations in the API description. */
const OPERATIONS = Object.values(description.paths).flatMap((path) => Object.keys(path)).length;

const lifetime = suiteLifetime();
const chromium = useBrowser();
let origin: string;

before(async () => {
  const app = new Koa<RequestState>().use((ctx, next) => {
    ctx.state.target = parseTarget(ctx.req.url ?? '');
    return next();
  });
  app.use(createDocs());
  app.use((ctx) => {
    if (ctx.path === '/api/v1/health') ctx.body = { ...HEALTH, cookie: ctx.get('cookie') };
  });
  origin = await listenLocally(lifetime, app.callback());
});

/** Opens the page. `complaints` collects errors, warnings, failed requests, and violations of the policy. */
async function open(): Promise<{ page: Page; complaints: string[]; asked: URL[] }> {
  const page = await chromium.open('about:blank');
  const complaints = await complaintsOf(page);
  const asked: URL[] = [];
  page.on('request', (request) => asked.push(new URL(request.url())));
  await page.goto(`${origin}/apidocs`);
  await page.locator('.opblock').first().waitFor();
  return { page, complaints, asked };
}

describe('the documentation page in a browser', () => {
  it('every part of the page opens without another host, and the policy blocks inline scripts', async () => {
    const { page, complaints, asked } = await open();
    const summaries = page.locator('.opblock-summary-control');
    for (let index = 0; index < (await summaries.count()); index++)
      await summaries.nth(index).click();
    assert.equal(await page.locator('.opblock.is-open').count(), OPERATIONS);
    for (const model of await page.locator('.models .model-container button').all()) {
      await model.click();
    }
    await page.locator('.btn.authorize').first().click();
    await page.locator('.dialog-ux .close-modal').click();
    assert.equal(complaints.join(), '');
    assert.deepEqual([...new Set(asked.map((url) => url.origin))], [origin]);

    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'document.title = "injected"';
      document.body.append(script);
    `);
    assert.equal(await page.title(), 'Weather lookup service');
    assert.ok(complaints.some((complaint) => complaint.startsWith('script-src')));
  });

  it('"Try it out" sends a request to this service with the cookies of the browser, and shows the response', async () => {
    const { page, complaints } = await open();
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
    assert.deepEqual(complaints, []);
  });
});
