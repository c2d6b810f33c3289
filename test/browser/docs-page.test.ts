import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { jsonAnswer } from '../../src/http/answer.js';
import { docsRoutes } from '../../src/http/docs/docs.js';
import { description } from '../../tools/openapi/index.js';
import type { Route } from '../../src/http/context.js';
import { axe, violationsOf } from '../support/axe.js';
import { complaintsOf, useBrowser } from '../support/browser.js';
import { appOf } from '../support/edge.js';
import { suiteLifetime } from '../support/lifetime.js';
import { listenLocally } from '../support/listen-locally.js';

const HEALTH = { status: 'ok', service: 'weather-lookup-service', version: '9.8.7' };

/** Number of operations in the API description. */
const OPERATIONS = Object.values(description.paths).flatMap((path) => Object.keys(path)).length;

const lifetime = suiteLifetime();
const chromium = useBrowser();
let origin: string;

/** Swagger UI breaks these two best practices for landmarks, which are not part of WCAG. */
const LANDMARKS = /^(?:landmark-unique|region):/;

/** The page is behind this path prefix, as with a reverse proxy. */
const PREFIX = '/tools/weather';

before(async () => {
  const health: Route = {
    ...{ method: 'get', paths: ['/api/v1/health'] },
    answer: (ctx) => jsonAnswer(200, { ...HEALTH, cookie: ctx.get('cookie') }),
  };
  const answer = appOf([...docsRoutes(), health]).callback();
  origin = await listenLocally(lifetime, (request, response) => {
    const { url = '' } = request;
    if (url.startsWith(`${PREFIX}/`)) {
      request.url = url.slice(PREFIX.length);
      void answer(request, response);
    } else response.writeHead(404).end();
  });
});

/** Opens the page. `complaints` has errors, warnings, failed requests, and policy violations. */
async function open(options = {}): Promise<{ page: Page; complaints: string[]; asked: URL[] }> {
  const page = await chromium.open('about:blank', options);
  const complaints = await complaintsOf(page);
  const asked: URL[] = [];
  page.on('request', (request) => asked.push(new URL(request.url())));
  await page.goto(`${origin}${PREFIX}/apidocs`);
  await page.locator('.opblock').first().waitFor();
  return { page, complaints, asked };
}

/** Opens all operations and schemas at once: Swagger UI redraws all after each user's click. */
async function openEverything(page: Page): Promise<void> {
  await page.evaluate(`
    const buttons = '.opblock:not(.is-open) .opblock-summary-control, .models .model-container button[aria-expanded=false]';
    for (const button of document.querySelectorAll(buttons)) button.click();
  `);
  const opened = page.locator('.opblock-body');
  await opened.nth(OPERATIONS - 1).waitFor();
  assert.equal(await opened.count(), OPERATIONS);
  const closed = page.locator('.models .model-container:not(:has(button[aria-expanded=true]))');
  assert.equal(await closed.count(), 0);
}

describe('the documentation page in a browser', () => {
  it('every part of the page opens without another host, and the policy blocks inline scripts', async () => {
    const { page, complaints, asked } = await open();
    await openEverything(page);
    // The browser sends the cookie of the session itself.
    assert.equal(await page.locator('.authorize:visible, .authorization__btn:visible').count(), 0);
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
    assert.equal(new URL(page.url()).hash, '#/health/getHealth');
  });

  it('the first operation is on the first screen, also of a phone', async () => {
    for (const options of [
      { viewport: { width: 390, height: 844 }, isMobile: true },
      { viewport: { width: 1280, height: 900 } },
    ]) {
      const { page } = await open(options);
      const box = await page.locator('.opblock').first().boundingBox();
      assert.ok(box!.y + box!.height < options.viewport.height, `${box!.y} px`);
    }
  });

  it('the links of the page lead to the same path prefix', async () => {
    const { page } = await open();
    const links = page.locator('.info a[href]');
    const addresses = await links.evaluateAll((elements) =>
      elements.map((element) => (element as unknown as { href: string }).href),
    );
    const own = addresses.filter((address) => address.startsWith(origin));
    assert.ok(own.length >= 5, own.join());
    for (const address of own) assert.ok(address.startsWith(`${origin}${PREFIX}/`), address);
  });

  it('the page violates no accessibility rule with parts open and a response', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open({ colorScheme });
      await page.evaluate(axe);
      const block = page.locator('#operations-health-getHealth');
      await block.locator('.opblock-summary-control').click();
      await block.getByRole('button', { name: 'Try it out' }).click();
      await block.getByRole('button', { name: 'Execute' }).click();
      await block.locator('.live-responses-table .response').waitFor();
      // The other operations have the same parts in the same colors.
      if (colorScheme === 'light') await openEverything(page);
      const violations = await violationsOf(page);
      const faults = violations.filter((violation) => !LANDMARKS.test(violation));
      assert.deepEqual(faults, [], colorScheme);
    }
  });
});
