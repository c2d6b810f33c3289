import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  complaintsOf,
  endOf,
  holdRequests,
  partsOf,
  searchFor,
  useBrowser,
  weatherRequests,
} from '../support/browser.js';
import { useService } from '../support/conformance.js';

/** Input on the page at `/` that is unknown, incomplete, or invalid. */

const fixture = useService();
const chromium = useBrowser();

describe('an unknown place', () => {
  it('is reported with links to similar names', async () => {
    const page = await chromium.open(fixture.url);
    const { message, choices, shows } = partsOf(page);
    await searchFor(page, 'Lodnon, UK');
    await choices.first().waitFor();
    assert.equal(
      await message.innerText(),
      'No place called “Lodnon” is known in “UK”. Did you mean:',
    );
    await choices.first().click();
    await shows('London, UK');
    assert.equal(await message.isVisible(), false);
  });

  it('is found by its region, and is reported with similar names if the region is incomplete', async () => {
    const page = await chromium.open(fixture.url);
    const { field, choices, shows } = partsOf(page);
    await searchFor(page, 'Paris, Texas');
    await shows('Paris, Texas');
    await searchFor(page, 'Paris, Texa');
    await choices.first().waitFor();
    assert.match(await choices.first().innerText(), /^Paris.*, United States/);
    await choices.first().click();
    await shows(await field.inputValue());
  });

  it('is reported with a request for its country', async () => {
    const page = await chromium.open(fixture.url);
    await searchFor(page, 'Qwxyzzy');
    await partsOf(page).message.getByText('Please add the country').waitFor();
  });

  it('is in the field without a comma if a link has no country', async () => {
    const page = await chromium.open(`${fixture.url}/?city=Paris`);
    const { field, message } = partsOf(page);
    await message.getByText('Please type a city and its country').waitFor();
    assert.equal(await field.inputValue(), 'Paris');
  });
});

describe('suggestions', () => {
  it('report that there are none, and the text can still be searched for', async () => {
    const page = await chromium.open(fixture.url);
    const { field, status, options, message } = partsOf(page);
    await field.fill('Route 66');
    await status.getByText('No suggestions.').waitFor();
    await field.fill('Qwxyzzy, Norway');
    await status.getByText('No suggestions. You can still search.').waitFor();
    assert.equal(await status.getAttribute('role'), 'status');
    assert.equal(await options.count(), 0);
    assert.equal(await field.getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('Enter');
    await message.getByText('No place called “Qwxyzzy” is known in “Norway”.').waitFor();
  });

  it('are requested again after Retry-After if a rate limit rejected them', async () => {
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
    await status.getByText('Suggestions are unavailable at the moment.').waitFor();
    page.on('request', (request) => asked.push(request.url()));
    await type('Reykja');
    await page.clock.runFor(50_000);
    await type('Reykjav');
    await options.first().getByText('Reykjavík').waitFor();
    const queries = asked.map((url) => new URL(url).searchParams.get('q'));
    assert.deepEqual(queries, ['Reykj', 'Reykjav']);
  });

  it('do not prevent a search if they fail', async () => {
    const page = await chromium.open(fixture.url);
    const { field, status, shows } = partsOf(page);
    await page.route('**/api/v1/places*', (route) => route.abort());
    await field.fill('Oslo, Norway');
    await status.getByText('Suggestions are unavailable at the moment.').waitFor();
    await page.keyboard.press('Enter');
    await shows('Oslo, Norway');
  });
});

describe('a suggestion', () => {
  it('for an earlier text never replaces those for a later text', async () => {
    const page = await chromium.open(fixture.url);
    const { field, options } = partsOf(page);
    const release = await holdRequests(page, /places\?q=Osl&/);
    const first = page.waitForRequest(/places\?q=Osl&/);
    await field.fill('Osl');
    const over = endOf(page, await first);
    await field.fill('Reykjav');
    await options.first().getByText('Reykjavík').waitFor();
    release();
    await over;
    assert.match(await options.first().innerText(), /^Reykjavík/);
  });

  it('is not chosen by Enter after another text was typed', async () => {
    const page = await chromium.open(fixture.url);
    const { field, options, shows } = partsOf(page);
    await field.fill('berl');
    await options.first().waitFor();
    await page.keyboard.press('ArrowDown');
    assert.match(await options.first().innerText(), /^Berlin/);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Rome');
    await page.keyboard.press('Enter');
    await shows('Rome, Italy');
  });

  it('is not chosen by the Enter key that ends the composition of a character', async () => {
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

describe('input that the service rejects', () => {
  it('leads to a message that explains it', async () => {
    const page = await chromium.open('about:blank');
    for (const [query, words] of [
      ['?city=Seattle&country=', 'Please type a city and its country'],
      ['?city=%3Cscript%3E&country=USA', 'A name may contain only letters'],
      [`?city=${'a'.repeat(101)}&country=USA`, 'This name is too long'],
      ['?lat=91&lon=0', 'There is no such point on Earth.'],
      ['?lat=0&lon=-140', 'No town is known near this point'],
    ] as const) {
      await page.goto(`${fixture.url}/${query}`);
      await partsOf(page).message.getByText(words).waitFor();
    }
  });

  it('is shown as text, not as markup', async () => {
    const page = await chromium.open('about:blank');
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
