import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { complaintsOf, partsOf, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { PATHS } from '../support/stand-in.js';

/** What the page at `/` says when something is wrong. */

const fixture = useService({ STALE_IF_ERROR_SECONDS: '3600' });
const chromium = useBrowser();

const SEATTLE = '?city=Seattle&country=USA';

async function search(page: Page, text: string): Promise<void> {
  await partsOf(page).field.fill(text);
  await page.keyboard.press('Enter');
}

/** The weather requests that a page sends from now on. */
function weatherRequests(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/weather')) sent.push(request.url());
  });
  return sent;
}

/** Every provider fails, so that there is nothing but old data, if any. */
function failProviders(): void {
  for (const path of [PATHS.openMeteo, PATHS.metNorway]) {
    fixture.standIn.behave(path, { kind: 'status', status: 500 });
  }
}

describe('an unknown place', () => {
  it('is told, with similar names that lead on', async () => {
    const page = await chromium.open(fixture.url);
    const { message, choices, shows } = partsOf(page);
    await search(page, 'Lodnon, UK');
    await choices.first().waitFor();
    assert.equal(
      await message.innerText(),
      'No place called “Lodnon” is known in “UK”. Did you mean:',
    );
    await choices.first().click();
    await shows('London, UK');
    assert.equal(await message.isVisible(), false);
  });

  it('leads on from a region in the place of a country', async () => {
    const page = await chromium.open(fixture.url);
    const { choices, shows } = partsOf(page);
    await search(page, 'Paris, Texas');
    await choices.first().waitFor();
    assert.match(await choices.first().innerText(), /^Paris.*, United States/);
    await choices.first().click();
    await shows(await partsOf(page).field.inputValue());
  });

  it('without a country asks for it', async () => {
    const page = await chromium.open(fixture.url);
    await search(page, 'Qwxyzzy');
    await partsOf(page).message.getByText('Please add the country').waitFor();
  });
});

describe('suggestions', () => {
  it('that are none are announced, and the text can be searched for all the same', async () => {
    const page = await chromium.open(fixture.url);
    const { field, status, options, message } = partsOf(page);
    await field.fill('Route 66');
    await status.getByText('No suggestions.').waitFor();
    await field.fill('Qwxyzzy, Norway');
    await status.getByText('No suggestions. You can search all the same.').waitFor();
    assert.equal(await status.getAttribute('role'), 'status');
    assert.equal(await options.count(), 0);
    assert.equal(await field.getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('Enter');
    await message.getByText('No place called “Qwxyzzy” is known in “Norway”.').waitFor();
  });

  it('that are too many are asked for again when the service wants it', async () => {
    const page = await chromium.open(fixture.url);
    await page.clock.install();
    await page.goto(fixture.url);
    const { field, status, options } = partsOf(page);
    const asked: string[] = [];
    await page.route(
      /api\/v1\/places/,
      (route) => {
        asked.push(route.request().url());
        return route.fulfill({
          status: 429,
          headers: { 'Retry-After': '50' },
          json: { error: 'Rate limit exceeded', message: 'Later' },
        });
      },
      { times: 1 },
    );
    const type = async (text: string) => {
      await field.fill(text);
      await page.clock.runFor(1000);
    };
    await type('Reykj');
    await status.getByText('There are no suggestions at the moment.').waitFor();
    page.on('request', (request) => asked.push(request.url()));
    await type('Reykja');
    await page.clock.runFor(50_000);
    await type('Reykjav');
    await options.first().getByText('Reykjavík').waitFor();
    const queries = asked.map((url) => new URL(url).searchParams.get('q'));
    assert.deepEqual(queries, ['Reykj', 'Reykjav']);
  });

  it('that cannot be had stop no search', async () => {
    const page = await chromium.open(fixture.url);
    const { field, status, shows } = partsOf(page);
    await page.route('**/api/v1/places*', (route) => route.abort());
    await field.fill('Oslo, Norway');
    await status.getByText('There are no suggestions at the moment.').waitFor();
    await page.keyboard.press('Enter');
    await shows('Oslo, Norway');
  });
});

describe('a suggestion', () => {
  it('of an earlier text never comes after those of a later one', async () => {
    const page = await chromium.open(fixture.url);
    const { field, options } = partsOf(page);
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/places\?q=Osl&/, async (route) => {
      await held;
      // The page has given it up by now, if it does as it should.
      await route.continue().catch(() => undefined);
    });
    const first = page.waitForRequest(/places\?q=Osl&/);
    await field.fill('Osl');
    const late = await first;
    const over = Promise.race([
      page.waitForEvent('requestfinished', (request) => request === late),
      page.waitForEvent('requestfailed', (request) => request === late),
    ]);
    await field.fill('Reykjav');
    await options.first().getByText('Reykjavík').waitFor();
    release?.();
    await over;
    await page.evaluate('new Promise(requestAnimationFrame)');
    assert.match(await options.first().innerText(), /^Reykjavík/);
  });

  it('is not taken by the key that ends the composing of a character', async () => {
    const page = await chromium.open(fixture.url);
    const { field, options, card } = partsOf(page);
    await field.fill('pots');
    await options.first().waitFor();
    await page.keyboard.press('ArrowDown');
    const sent = weatherRequests(page);
    await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    assert.equal(await options.first().getAttribute('aria-selected'), 'true');
    assert.deepEqual([sent, await card.isVisible()], [[], false]);
  });
});

describe('input that the service refuses', () => {
  for (const [query, words] of [
    ['?city=Seattle&country=', 'Please type a city and its country'],
    ['?city=%3Cscript%3E&country=USA', 'A name may have letters'],
    [`?city=${'a'.repeat(101)}&country=USA`, 'This name is too long'],
    ['?lat=91&lon=0', 'There is no such point on Earth.'],
    ['?lat=0&lon=-140', 'No town is known near this point'],
  ] as const) {
    it(`${query.slice(0, 30)}: ${words}`, async () => {
      const page = await chromium.open(`${fixture.url}/${query}`);
      await partsOf(page).message.getByText(words).waitFor();
    });
  }

  it('is shown as text, never as markup', async () => {
    const page = await chromium.open(fixture.url);
    const complaints = await complaintsOf(page);
    await page.goto(
      `${fixture.url}/?${new URLSearchParams({ city: '<img src=x>', country: '<b>' }).toString()}`,
    );
    await partsOf(page).message.waitFor();
    assert.equal(await page.locator('main img, main b').count(), 0);
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes('400')),
      [],
    );
  });
});

describe('a browser that keeps nothing', () => {
  it('shows the weather all the same, in the units that are chosen', async () => {
    const page = await chromium.open(fixture.url);
    await page.addInitScript(`Object.defineProperty(window, 'localStorage', {
      get() { throw new DOMException('denied', 'SecurityError'); },
    })`);
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(`${fixture.url}/${SEATTLE}`);
    await partsOf(page).shows('Seattle, USA');
    await page.getByRole('radio', { name: '°F' }).check();
    await partsOf(page)
      .card.getByText(/[\d.]+ °F/)
      .waitFor();
    assert.deepEqual(errors, []);
  });
});

describe('a rate limit', () => {
  it('is counted down, and nothing is asked before', async () => {
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
    await search(page, 'Oslo, Norway');
    await message.getByText('no more than 1 at a time').waitFor();
    assert.match(await countdown.innerText(), /^You can try again in \d{4} seconds\.$/);
    assert.equal(await again.isVisible(), false);

    const sent = weatherRequests(page);
    await page.clock.fastForward(1_000_000);
    await countdown.getByText(/ in 2[56]\d\d seconds/).waitFor();
    await search(page, 'Lima, Peru');
    await countdown.getByText(/ in 2[56]\d\d seconds/).waitFor();
    assert.deepEqual([sent, await status.innerText()], [[], '']);

    // The service counts by its own clock: another client stands for this one, an hour later.
    await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '192.0.2.7' });
    await page.clock.fastForward(2_700_000);
    await countdown.getByText('You can try again now.').waitFor();
    await again.click();
    await shows('Lima, Peru');
    assert.equal(sent.length, 1);
    assert.equal(await message.isVisible(), false);
  });
});

describe('a service in trouble', () => {
  it('that gives old data says so', async () => {
    const replica = await fixture.replica({ CACHE_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0' });
    const page = await chromium.open(`${replica.url}/${SEATTLE}`);
    await partsOf(page).shows('Seattle, USA');
    failProviders();
    const stale = page.getByText('This is the last that we know.');
    assert.equal(await stale.isVisible(), false);
    await eventually(async () => {
      const answer = page.waitForResponse(/api\/v1\/weather/);
      await page.reload();
      return (await (await answer).headerValue('X-Cache')) === 'STALE';
    }, 'an answer with old data');
    await stale.waitFor();
    fixture.standIn.reset();
  });

  it('that has no data says when to try again, and answers for other places', async () => {
    const replica = await fixture.replica();
    const page = await chromium.open(`${replica.url}/${SEATTLE}`);
    const { shows, message, countdown, again } = partsOf(page);
    await shows('Seattle, USA');
    failProviders();
    await page.clock.install();
    await page.goto(`${replica.url}/?city=Accra&country=Ghana`);
    await message.getByText('No weather service answers at the moment.').waitFor();
    assert.match(await countdown.innerText(), /^You can try again in \d+ seconds?\.$/);
    const sent = weatherRequests(page);
    await search(page, 'Accra, Ghana');
    assert.deepEqual(sent, []);
    await search(page, 'Seattle, USA');
    await shows('Seattle, USA');
    await search(page, 'Accra, Ghana');
    await page.clock.fastForward(60_000);
    await again.waitFor();
    fixture.standIn.reset();
  });

  it('that is gone is told kindly, and its answer appears when it is back', async () => {
    const first = await fixture.replica();
    const page = await chromium.open(first.url);
    const { message, shows } = partsOf(page);
    await first.stop();
    await search(page, 'Oslo, Norway');
    await message.getByText('The service cannot be reached.').waitFor();
    await fixture.replica({ PORT: new URL(first.url).port });
    await shows('Oslo, Norway');
    assert.equal(await message.isVisible(), false);
  });

  it('that a proxy excuses with a page of its own is asked again', async () => {
    const page = await chromium.open(fixture.url);
    const { message, shows } = partsOf(page);
    await page.route(
      /api\/v1\/weather/,
      (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway' }),
      { times: 1 },
    );
    await search(page, 'Oslo, Norway');
    await message.getByText('The service cannot be reached.').waitFor();
    await shows('Oslo, Norway');
  });

  it('that fails names the request, so that it can be reported', async () => {
    const page = await chromium.open(fixture.url);
    await page.route(/api\/v1\/weather/, (route) =>
      route.fulfill({
        status: 500,
        headers: { 'X-Request-ID': 'the-request' },
        json: { error: 'Internal server error', message: 'An unexpected error occurred' },
      }),
    );
    await search(page, 'Oslo, Norway');
    await partsOf(page).message.getByText('the-request').waitFor();
  });

  it('that cannot clear the recent searches says so, and keeps them', async () => {
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
