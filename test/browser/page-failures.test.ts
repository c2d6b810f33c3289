import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { partsOf, searchFor, useBrowser, weatherRequests } from '../support/browser.js';
import { useService } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';

/** The page at `/` while the service fails, a limit rejects requests, or the browser lacks a feature. */

const fixture = useService({ STALE_IF_ERROR_SECONDS: '3600' });
const chromium = useBrowser();

const SEATTLE = '?city=Seattle&country=USA';

/** Lets every provider fail, so that only cached data remains. */
function failProviders(): void {
  fixture.stub.behaveAll({ kind: 'status', status: 500 });
}

describe('an older or restricted browser', () => {
  it('shows the weather in the chosen units without AbortSignal.any and without storage', async () => {
    const page = await chromium.open('about:blank');
    await page.addInitScript(`
      delete AbortSignal.any;
      delete AbortSignal.timeout;
      Object.defineProperty(window, 'localStorage', {
        get() { throw new DOMException('denied', 'SecurityError'); },
      })`);
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(`${fixture.url}/${SEATTLE}`);
    const { shows, card } = partsOf(page);
    await shows('Seattle, USA');
    await page.getByRole('radio', { name: '°F' }).check();
    await card.getByText(/[\d.]+ °F/).waitFor();
    assert.deepEqual(errors, []);
  });
});

describe('a city without its country, while suggestions fail', () => {
  const fail = (page: Page, status: number) =>
    page.route(/api\/v1\/places/, (route) =>
      route.fulfill({
        status,
        headers: { 'Retry-After': '50' },
        json: { error: 'Later', message: 'Later' },
      }),
    );

  for (const [status, words] of [
    [429, 'Too many searches'],
    [503, 'The search for places is unavailable at the moment.'],
  ] as const) {
    it(`can be searched for again after Retry-After: ${status}`, async () => {
      const page = await chromium.open(fixture.url);
      const { message, countdown, again, shows } = partsOf(page);
      await page.clock.install();
      await page.goto(fixture.url);
      await fail(page, status);
      await searchFor(page, 'Potsdam');
      await message.getByText(words).waitFor();
      await countdown.getByText(/ in \d\d seconds/).waitFor();
      await searchFor(page, 'Potsdam');
      await countdown.getByText(/ in \d\d seconds/).waitFor();
      await page.unroute(/api\/v1\/places/);
      await page.clock.fastForward(60_000);
      await again.click();
      await shows('Potsdam, Germany');
    });
  }

  it('is searched for again as soon as the service is available', async () => {
    const page = await chromium.open(fixture.url);
    const { message, shows } = partsOf(page);
    await page.context().setOffline(true);
    await searchFor(page, 'Potsdam');
    await message.getByText('The service cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await shows('Potsdam, Germany');
    assert.equal(await message.isVisible(), false);
  });

  it('is not searched for again after another text was typed', async () => {
    const page = await chromium.open(fixture.url);
    const { field, card, message } = partsOf(page);
    await page.clock.install();
    await page.goto(fixture.url);
    await page.context().setOffline(true);
    await searchFor(page, 'Potsdam');
    await message.getByText('The service cannot be reached.').waitFor();
    await page.context().setOffline(false);
    const back = page.waitForResponse(/health\/live/);
    await field.fill('Osl');
    await page.clock.runFor(2000);
    await (await back).finished();
    await page.evaluate('new Promise(requestAnimationFrame)');
    assert.deepEqual([await field.inputValue(), await card.isVisible()], ['Osl', false]);
  });
});

describe('a rate limit', () => {
  it('is counted down, and no request is sent before', async () => {
    const limited = await fixture.replica({
      RATE_LIMIT_PER_IP: '1',
      RATE_LIMIT_PER_IP_WINDOW_SECONDS: '3600',
      TRUST_PROXY: '1',
    });
    const page = await chromium.open(limited.url);
    const { message, countdown, again, shows, status } = partsOf(page);
    await page.clock.install();
    await page.goto(`${limited.url}/${SEATTLE}`);
    await shows('Seattle, USA');
    await searchFor(page, 'Oslo, Norway');
    await message.getByText('the limit is 1.').waitFor();
    assert.match(await countdown.innerText(), /^You can try again in \d{4} seconds\.$/);
    assert.equal(await again.isVisible(), false);

    const sent = weatherRequests(page);
    await page.clock.fastForward(1_000_000);
    await countdown.getByText(/ in 2[56]\d\d seconds/).waitFor();
    await searchFor(page, 'Lima, Peru');
    await countdown.getByText(/ in 2[56]\d\d seconds/).waitFor();
    assert.deepEqual([sent, await status.innerText()], [[], '']);

    // The clock of the service has not moved, so another client IP stands for an hour later.
    await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '192.0.2.7' });
    await page.clock.fastForward(2_700_000);
    await countdown.getByText('You can try again now.').waitFor();
    await again.click();
    await shows('Lima, Peru');
    assert.equal(sent.length, 1);
    assert.equal(await message.isVisible(), false);
  });
});

describe('a failing service', () => {
  it('makes the page mark stale weather', async () => {
    const replica = await fixture.replica({ CACHE_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0' });
    const page = await chromium.open(`${replica.url}/${SEATTLE}`);
    await partsOf(page).shows('Seattle, USA');
    failProviders();
    const stale = page.getByText('This is the latest known weather.');
    assert.equal(await stale.isVisible(), false);
    await eventually(async () => {
      const answer = page.waitForResponse(/api\/v1\/weather/);
      await page.reload();
      return (await (await answer).headerValue('X-Cache')) === 'STALE';
    }, 'a response with stale weather');
    await stale.waitFor();
    fixture.stub.reset();
  });

  it('without cached weather makes the page count down to a retry, while other places still work', async () => {
    const replica = await fixture.replica();
    const page = await chromium.open(`${replica.url}/${SEATTLE}`);
    const { shows, message, countdown, again } = partsOf(page);
    await shows('Seattle, USA');
    failProviders();
    await page.clock.install();
    await page.goto(`${replica.url}/?city=Accra&country=Ghana`);
    await message.getByText('The weather is unavailable at the moment.').waitFor();
    assert.match(await countdown.innerText(), /^You can try again in \d+ seconds?\.$/);
    const sent = weatherRequests(page);
    await searchFor(page, 'Accra, Ghana');
    assert.deepEqual(sent, []);
    await searchFor(page, 'Seattle, USA');
    await shows('Seattle, USA');
    await searchFor(page, 'Accra, Ghana');
    await page.clock.fastForward(60_000);
    await again.waitFor();
    fixture.stub.reset();
  });

  it('that is down leads to a message, and to the weather as soon as the service is up again', async () => {
    const first = await fixture.replica();
    const page = await chromium.open(first.url);
    const { message, shows } = partsOf(page);
    await first.stop();
    await searchFor(page, 'Oslo, Norway');
    await message.getByText('The service cannot be reached.').waitFor();
    await fixture.replica({ PORT: new URL(first.url).port });
    await shows('Oslo, Norway');
    assert.equal(await message.isVisible(), false);
  });

  it('makes the page show the request ID of an internal error, and try again after a 502', async () => {
    const page = await chromium.open(fixture.url);
    const { message, shows } = partsOf(page);
    const headers = { 'X-Request-ID': 'the-request' };
    for (const [response, words] of [
      [{ status: 500, headers, json: { error: 'Internal server error' } }, 'the-request'],
      [
        { status: 502, contentType: 'text/html', body: '<h1>Bad gateway' },
        'The service cannot be reached.',
      ],
    ] as const) {
      await page.route(/api\/v1\/weather/, (route) => route.fulfill(response), { times: 1 });
      await searchFor(page, 'Oslo, Norway');
      await message.getByText(words).waitFor();
    }
    await shows('Oslo, Norway');
  });

  it('that cannot clear the recent searches leads to a message, and the list remains', async () => {
    const page = await chromium.open(`${fixture.url}/${SEATTLE}`);
    const { recent, clear, status } = partsOf(page);
    await recent.first().waitFor();
    await page.route(/recent-searches/, (route) =>
      route.fulfill({ status: 503, json: { error: 'Service unavailable', message: 'Later' } }),
    );
    await clear.click();
    await status.getByText('cannot be cleared at the moment').waitFor();
    assert.equal(await recent.count(), 1);
  });
});
