import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { endOf, holdRequests, partsOf, searchFor, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';
import { ask } from '../support/http-client.js';

/** The next days on the page at `/`, below the current weather. */

const fixture = useService({ WEATHER_PROVIDERS: 'demo', RATE_LIMIT_PER_IP: '0' });
const chromium = useBrowser();

const SEATTLE = '?city=Seattle&country=USA';
const FORECAST = /api\/v1\/forecast/;

interface Day {
  date: string;
  temperature_min: number;
  temperature_max: number;
  condition: string;
  precipitation_probability: number | null;
}

const DAY: Day = {
  date: '2026-03-01',
  temperature_min: -9.6,
  temperature_max: -0.4,
  condition: 'Slight snow fall',
  precipitation_probability: 62,
};

/** Responds to a request for a forecast with these days. */
const fulfill = (route: Route, days: Day[], headers: Record<string, string> = {}) =>
  route.fulfill({ headers, json: { location: {}, timezone: 'Pacific/Kiritimati', days } });

const respondWith = (page: Page, days: Day[], headers?: Record<string, string>) =>
  page.route(FORECAST, (route) => fulfill(route, days, headers));

/** The text alternatives of the days. */
const sentences = (page: Page) => partsOf(page).days.locator('.visually-hidden').allInnerTexts();

/** The visible text of the days. */
const cards = async (page: Page) =>
  (await partsOf(page).days.locator('.day').allInnerTexts()).map((text) => text.split(/\s*\n\s*/));

describe('the next days', () => {
  it('are a list of the seven days that the service has', async () => {
    const page = await chromium.open(`${fixture.url}/${SEATTLE}`);
    const { days } = partsOf(page);
    await days.nth(6).waitFor();
    const { json } = await ask(`${fixture.url}/api/v1/forecast${SEATTLE}&days=7`);
    const given = (json as { days: Day[] }).days;
    // Halves are rounded away from zero.
    const rounded = (value: number) =>
      String(Math.sign(value) * Math.round(Math.abs(value))).replace('-', '−');
    assert.deepEqual(
      (await sentences(page)).map((sentence) => sentence.replace(/^.*?: /, '')),
      given.map(
        (day) =>
          `${day.condition}, ${rounded(day.temperature_min)} to ${rounded(day.temperature_max)} °C, ` +
          `${day.precipitation_probability} % chance of precipitation.`,
      ),
    );
    const [first] = await cards(page);
    assert.equal(first?.[0], 'Today');
    assert.match((await sentences(page))[0] ?? '', /^Today, \w+day, \w+ \d+: /);
    assert.equal(await partsOf(page).forecastMessage.innerText(), '');
  });

  it('show weekday, chance if it is known, and temperatures in the chosen unit', async () => {
    const page = await chromium.open('about:blank');
    await respondWith(page, [
      DAY,
      { ...DAY, date: '2026-03-02', precipitation_probability: null, condition: 'Unknown' },
    ]);
    await page.goto(`${fixture.url}/${SEATTLE}`);
    await partsOf(page).days.nth(1).waitFor();
    assert.deepEqual(await cards(page), [
      ['Sun', '0° −10°', '62 %'],
      ['Mon', '0° −10°'],
    ]);
    assert.deepEqual(await sentences(page), [
      'Sunday, March 1: Slight snow fall, −10 to 0 °C, 62 % chance of precipitation.',
      'Monday, March 2: Unknown, −10 to 0 °C.',
    ]);
    const icons = page.locator('#days svg');
    assert.equal(await icons.nth(0).getAttribute('class'), 'weather-icon cloud snow');
    assert.equal(await icons.nth(1).getAttribute('class'), 'weather-icon');
    await page.getByRole('radio', { name: '°F' }).check();
    assert.deepEqual((await cards(page))[0], ['Sun', '31° 15°', '62 %']);
    assert.match((await sentences(page)).join(), /, 15 to 31 °F,/);
  });

  it('have one line each on a phone, also if it is very cold', async () => {
    const page = await chromium.open('about:blank', { viewport: { width: 320, height: 640 } });
    const cold = { temperature_min: -45, temperature_max: -35, precipitation_probability: 100 };
    await respondWith(page, [DAY, { ...DAY, ...cold }]);
    await page.goto(`${fixture.url}/${SEATTLE}`);
    const { days } = partsOf(page);
    await days.nth(1).waitFor();
    const temperatures = days.locator('.day > :nth-child(3)');
    const heights = await temperatures.evaluateAll((items) =>
      (items as unknown as { clientHeight: number }[]).map(({ clientHeight }) => clientHeight),
    );
    assert.equal(heights[1], heights[0]);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
  });

  it('have a credit of their own only if it differs from the credit of the current weather', async () => {
    const page = await chromium.open('about:blank');
    const other = 'Data from MET Norway <https://api.met.no/>, CC BY 4.0';
    await respondWith(page, [DAY], { 'X-Weather-Attribution': other, 'X-Cache': 'STALE' });
    await page.goto(`${fixture.url}/${SEATTLE}`);
    const { forecast } = partsOf(page);
    await forecast.getByRole('link', { name: 'Data from MET Norway' }).waitFor();
    await forecast.getByText('This is the latest known forecast.').waitFor();
    await page.unroute(FORECAST);
    await searchFor(page, 'Oslo, Norway');
    await partsOf(page).days.nth(6).waitFor();
    assert.equal(await forecast.getByText('not real data').isVisible(), false);
    assert.equal(await forecast.getByText('latest known forecast').isVisible(), false);
  });
});

describe('the current weather', () => {
  it('does not wait for the next days', async () => {
    const page = await chromium.open('about:blank');
    const { shows, forecastMessage, days } = partsOf(page);
    const release = await holdRequests(page, FORECAST, (route) => fulfill(route, [DAY]));
    await page.goto(`${fixture.url}/${SEATTLE}`);
    await shows('Seattle, USA');
    await forecastMessage.getByText('Loading the forecast …').waitFor();
    assert.equal(await days.count(), 0);
    release();
    await days.first().waitFor();
  });

  it('stays if the next days fail or are rejected, and the next search waits for Retry-After', async () => {
    const page = await chromium.open('about:blank');
    const { card, days, forecastMessage, message, countdown } = partsOf(page);
    for (const [status, words] of [
      [503, 'The next days are unavailable at the moment.'],
      [429, 'there were too many searches'],
    ] as const) {
      const headers = { 'Retry-After': '40' };
      await page.route(FORECAST, (route) =>
        route.fulfill({ status, headers, json: { error: 'Later', message: 'Later' } }),
      );
      await page.goto(`${fixture.url}/${SEATTLE}`);
      await forecastMessage.getByText(words).waitFor();
      assert.equal(await card.isVisible(), true);
      assert.equal(await message.isVisible(), false);
      assert.equal(await days.count(), 0);
    }
    await searchFor(page, 'Oslo, Norway');
    await message.getByText('Too many searches.').waitFor();
    await countdown.getByText(/ in (?:3\d|40) seconds/).waitFor();
  });
});

describe('the days of another place', () => {
  it('never appear, however late their response is', async () => {
    const page = await chromium.open(fixture.url);
    const { days, shows } = partsOf(page);
    const release = await holdRequests(page, /forecast\?city=Lima/, (route) =>
      fulfill(route, [{ ...DAY, temperature_max: 41 }]),
    );
    await page.route(/forecast\?city=Quito/, (route) => fulfill(route, [DAY]));
    const first = page.waitForRequest(/forecast\?city=Lima/);
    await searchFor(page, 'Lima, Peru');
    const over = endOf(page, await first);
    await searchFor(page, 'Quito, Ecuador');
    await shows('Quito, Ecuador');
    await days.first().waitFor();
    release();
    await over;
    assert.deepEqual(await cards(page), [['Sun', '0° −10°', '62 %']]);
  });

  it('go as soon as the current weather is that of another place, or of none', async () => {
    const page = await chromium.open(`${fixture.url}/${SEATTLE}`);
    const { days, shows, forecast, message } = partsOf(page);
    await days.nth(6).waitFor();
    await page.route(FORECAST, () => undefined);
    await searchFor(page, 'Oslo, Norway');
    await shows('Oslo, Norway');
    assert.equal(await days.count(), 0);
    await searchFor(page, 'Xqzwvkjh, Norway');
    await message.getByText('No place called').waitFor();
    assert.equal(await forecast.isVisible(), false);
  });
});
