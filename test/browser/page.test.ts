import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { complaintsOf, partsOf, searchFor, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { PATHS, stubWeather } from '../support/stub-provider.js';

/** The page at `/` while everything works. */

const fixture = useService();
const chromium = useBrowser();
const open = (query = '', options = {}) => chromium.open(`${fixture.url}/${query}`, options);

const SEATTLE = '?city=Seattle&country=USA';
const POTSDAM = { latitude: 52.4009, longitude: 13.0591 };

describe('a search', () => {
  it('starts with a click on a suggestion, and the browser reports no error', async () => {
    const page = await chromium.open('about:blank');
    const complaints = await complaintsOf(page);
    await page.goto(fixture.url);
    const { field, options, status, shows, days } = partsOf(page);
    await field.fill('pots');
    const first = options.first();
    assert.equal(await first.innerText(), 'Potsdam Brandenburg, Germany');
    assert.equal(await status.innerText(), '6 suggestions.');
    await field.blur();
    assert.equal(await status.innerText(), '');
    await field.press('ArrowDown');
    await first.click();
    await shows('Potsdam, Germany');
    assert.equal(await field.inputValue(), 'Potsdam, Germany');
    assert.equal(await options.count(), 0);
    await days.nth(6).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('works with the keyboard alone', async () => {
    const page = await open();
    const { field, options, status, shows, recent } = partsOf(page);
    const press = (key: string) => page.keyboard.press(key);
    const active = () => field.getAttribute('aria-activedescendant');
    const expanded = () => field.getAttribute('aria-expanded');

    await press('Tab');
    await page.keyboard.type('munch');
    await options.first().waitFor();
    const count = await options.count();
    assert.equal(await status.innerText(), `${count} suggestions.`);
    assert.deepEqual([await expanded(), await active()], ['true', null]);

    await press('ArrowDown');
    assert.equal(await active(), 'suggestion-0');
    assert.equal(await options.first().getAttribute('aria-selected'), 'true');

    await press('Escape');
    assert.deepEqual([await expanded(), await active()], ['false', null]);
    assert.equal(await field.inputValue(), 'munch');
    await press('ArrowDown');
    await options.first().waitFor();
    await press('ArrowDown');
    await press('Enter');
    await shows('Munich, Germany');

    // The list of recent searches is loaded after the weather.
    await recent.waitFor();
    // Search, Use my location, two choices of units, the link of the source: then the recent searches.
    for (let stop = 0; stop < 6; stop++) await press('Tab');
    await recent.and(page.locator(':focus')).waitFor();
  });

  it('shows the weather of the provider, its attribution, and its age', async () => {
    const page = await open(SEATTLE);
    const { card, shows } = partsOf(page);
    await shows('Seattle, USA');
    const call = fixture.stub.calls.findLast(({ path }) => path === PATHS.openMeteo)!;
    const given = stubWeather(Number(call.query['latitude']), Number(call.query['longitude']));
    const text = (await card.innerText()).replaceAll('−', '-');
    for (const part of [
      `${given.temperature} °C`,
      given.sky.text,
      `${given.humidity} %`,
      `${given.windKmh} km/h`,
      'Fetched just now.',
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    const source = card.getByRole('link', { name: 'Weather data by Open-Meteo.com' });
    assert.equal(await source.getAttribute('href'), 'https://open-meteo.com/');
    assert.equal(await page.title(), `${given.temperature} °C Seattle, USA`.replace('-', '−'));
  });

  it('shows the next seven days', async () => {
    const page = await open(SEATTLE);
    const { days } = partsOf(page);
    await days.nth(6).waitFor();
    const { json } = await ask(`${fixture.url}/api/v1/forecast${SEATTLE}&days=7`);
    for (const [n, { condition }] of (json as { days: { condition: string }[] }).days.entries()) {
      await days.nth(n).getByTitle(condition, { exact: true }).waitFor();
    }
    assert.match(
      await days.first().locator('.day').innerText(),
      /^Today\s+[−\d]+° [−\d]+°\s+\d+ %$/,
    );
    assert.match(await days.first().innerText(), /^Today, \w+day, \w+ \d+: /);
  });

  it('works by a link, after a reload, and with the back button', async () => {
    const page = await open(SEATTLE);
    const { field, shows, card } = partsOf(page);
    await shows('Seattle, USA');
    await searchFor(page, 'Oslo, Norway');
    await shows('Oslo, Norway');
    assert.equal(new URL(page.url()).search, '?city=Oslo&country=Norway');
    await page.reload();
    await shows('Oslo, Norway');
    assert.equal(await field.inputValue(), 'Oslo, Norway');
    await page.goBack();
    await shows('Seattle, USA');
    await page.goto(`${fixture.url}/`);
    assert.equal(await card.isVisible(), false);
  });

  it('for a place that is no longer shown ends before its forecast', async () => {
    const page = await open();
    await page.route(/v1\/forecast/, () => undefined);
    await searchFor(page, 'Oslo, Norway');
    await partsOf(page).shows('Oslo, Norway');
    const aborted = page.waitForEvent('requestfailed');
    await page.goBack();
    assert.match((await aborted).url(), /v1\/forecast/);
  });

  it('shows the weather in the last chosen units', async () => {
    const page = await open(SEATTLE);
    const { card, days, shows } = partsOf(page);
    await shows('Seattle, USA');
    await page.getByRole('radio', { name: '°F' }).check();
    await page.getByRole('radio', { name: 'mph' }).check();
    const check = async () => {
      await card.getByText(/[\d.]+ °F/).waitFor();
      await card.getByText(/[\d.]+ mph/).waitFor();
      assert.equal(await card.getByText(/[\d.]+ (?:°C|km\/h)/).count(), 0);
      await days.first().getByText(/ °F,/).waitFor();
    };
    await check();
    assert.match(await page.title(), /^[−\d.]+ °F Seattle, USA$/);
    await page.reload();
    await shows('Seattle, USA');
    await check();
  });
});

describe('the button "Use my location"', () => {
  it('shows the nearest city, and does not send the exact position', async () => {
    const page = await open('', { geolocation: POTSDAM, permissions: ['geolocation'] });
    const { here, shows } = partsOf(page);
    await here.click();
    await shows('Potsdam, Germany');
    assert.equal(new URL(page.url()).search, '?lat=52.40&lon=13.06');
    await page.reload();
    await shows('Potsdam, Germany');
  });
});

describe('the recent searches', () => {
  it('are the same in all tabs, repeat a search, and can be cleared', async () => {
    const one = await open();
    const two = await one.context().newPage();
    await two.goto(`${fixture.url}/`);
    const [here, there] = [partsOf(one), partsOf(two)];
    for (const city of ['Oslo, Norway', 'Seattle, USA']) {
      await searchFor(one, city);
      await here.shows(city);
    }
    await there.recent.nth(1).waitFor();
    assert.deepEqual(await there.recent.allInnerTexts(), ['Seattle, USA', 'Oslo, Norway']);

    await there.recent.nth(1).click();
    await there.shows('Oslo, Norway');
    await here.recent.first().getByText('Oslo, Norway').waitFor();
    assert.deepEqual(await here.recent.allInnerTexts(), ['Oslo, Norway', 'Seattle, USA']);

    await here.clear.click();
    await there.clear.waitFor({ state: 'hidden' });
    await one.reload();
    await here.shows('Seattle, USA');
    // The reload is a search for the place in the address.
    await here.recent.first().waitFor();
    assert.deepEqual(await here.recent.allInnerTexts(), ['Seattle, USA']);
  });

  it('are cleared, except for a search that ends meanwhile', async () => {
    const page = await open();
    const { clear, recent, status } = partsOf(page);
    await page.route(/recent-searches/, async (route) => {
      const response = await route.fetch();
      if (route.request().method() === 'DELETE') {
        await searchFor(page, 'Lima, Peru');
        await recent.getByText('Lima, Peru').waitFor();
      }
      await route.fulfill({ response });
    });
    await searchFor(page, 'Oslo, Norway');
    await recent.waitFor();
    await clear.click();
    await status.getByText('The recent searches are cleared.').waitFor();
    await recent.getByText('Lima, Peru').waitFor();
  });
});

describe('the keyboard focus', () => {
  const hasFocus = (part: Locator, page: Page) => part.and(page.locator(':focus')).waitFor();

  it('moves from a link that disappears to the heading of the weather, or back to the field', async () => {
    const page = await open();
    const { choices, place, field, shows, message } = partsOf(page);
    await searchFor(page, 'Lodnon, UK');
    await message
      .getByText('No place called “Lodnon” is known in “UK”. Did you mean:', { exact: true })
      .waitFor();
    await choices.first().focus();
    await page.keyboard.press('Enter');
    await shows('London, UK');
    await hasFocus(place, page);
    assert.equal(await message.isVisible(), false);

    await page.route(/api\/v1\/weather.*London/, (route) =>
      route.fulfill({ status: 500, json: { error: 'Internal server error' } }),
    );
    await searchFor(page, 'Lodnon, UK');
    await choices.first().focus();
    await page.keyboard.press('Enter');
    await message.getByText('The service has failed.').waitFor();
    await hasFocus(field, page);
  });
});

describe('the page without JavaScript', () => {
  it('has a hint, and its form opens the JSON response', async () => {
    const page = await open('', { javaScriptEnabled: false });
    await page.getByText('The API does not need it').waitFor();
    await page.getByLabel('City', { exact: true }).fill('Seattle');
    await page.getByLabel('Country', { exact: true }).fill('USA');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('"city":"Seattle"').waitFor();
    assert.equal(await page.getByRole('combobox').count(), 0);
  });
});
