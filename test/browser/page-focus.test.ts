import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { holdRequests, partsOf, searchFor, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';

/** Where the focus on the page at `/` moves if the focused part disappears. */

const fixture = useService();
const chromium = useBrowser();

const hasFocus = (part: Locator, page: Page) => part.and(page.locator(':focus')).waitFor();

describe('the keyboard focus', () => {
  it('moves from a recent search to the heading of the weather', async () => {
    const page = await chromium.open(fixture.url);
    const { recent, place, shows } = partsOf(page);
    for (const city of ['Oslo, Norway', 'Seattle, USA']) {
      await searchFor(page, city);
      await shows(city);
    }
    await recent.nth(1).focus();
    await page.keyboard.press('Enter');
    await shows('Oslo, Norway');
    await recent.first().getByText('Oslo, Norway').waitFor();
    await hasFocus(place, page);
  });

  it('moves from a suggested correction to the heading of the weather, or back to the field', async () => {
    const page = await chromium.open(fixture.url);
    const { choices, place, field, shows, message } = partsOf(page);
    await searchFor(page, 'Lodnon, UK');
    await choices.first().focus();
    await page.keyboard.press('Enter');
    await shows('London, UK');
    await hasFocus(place, page);

    await searchFor(page, 'Lodnon, UK');
    await choices.first().focus();
    await page.route(/api\/v1\/weather/, (route) =>
      route.fulfill({ status: 500, json: { error: 'Internal server error' } }),
    );
    await page.keyboard.press('Enter');
    await message.getByText('The service has failed.').waitFor();
    await hasFocus(field, page);
  });

  it('moves from the button "Try again" to the heading of the weather', async () => {
    const page = await chromium.open(fixture.url);
    const { again, place, shows } = partsOf(page);
    await page.route(
      /api\/v1\/weather/,
      (route) =>
        route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { error: 'Later' } }),
      { times: 1 },
    );
    await searchFor(page, 'Oslo, Norway');
    await again.focus();
    await page.keyboard.press('Enter');
    await shows('Oslo, Norway');
    await hasFocus(place, page);
  });

  it('stays where the user moves it while the weather is loading', async () => {
    const page = await chromium.open(`${fixture.url}/?city=Oslo&country=Norway`);
    const { recent, here, shows } = partsOf(page);
    await recent.first().waitFor();
    await page.goto(`${fixture.url}/?city=Seattle&country=USA`);
    await recent.nth(1).focus();
    const release = await holdRequests(page, /weather\?city=Oslo/);
    await page.keyboard.press('Enter');
    await here.focus();
    release();
    await shows('Oslo, Norway');
    await hasFocus(here, page);
  });
});
