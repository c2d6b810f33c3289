import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { complaintsOf, partsOf, searchFor, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';
import { hoursOf, timesFrom } from '../support/page-service.js';
import { recordWeather } from '../support/page-scenarios.js';

/** What the page at `/` needs of a browser. `test/http/page/` tests the rest without one. */

const fixture = useService();
const chromium = useBrowser();

async function open(query = '', options: BrowserContextOptions = {}): Promise<Page> {
  const page = await chromium.open('about:blank', options);
  await recordWeather(page);
  await page.goto(`${fixture.url}/${query}`);
  return page;
}

it('the page shows the weather of the location, also after a reload, if it may use the location', async () => {
  const geolocation = { latitude: 52.4009, longitude: 13.0591 };
  const page = await open('', { geolocation, permissions: ['geolocation'] });
  const { here, shows } = partsOf(page);
  await here.click();
  await shows('Cloudy');
  await page.reload();
  await shows('Cloudy');
  assert.equal(new URL(page.url()).search, '?lat=52.40&lon=13.06');
});

it('each example place is a place that the service knows', async () => {
  const page = await open();
  const links = await partsOf(page).examples.all();
  assert.equal(links.length, 6);
  for (const link of links) {
    const query = await link.getAttribute('href');
    const { status } = await fetch(`${fixture.url}/api/v1/weather${query}`);
    assert.equal(status, 200, decodeURIComponent(String(query)));
  }
});

it('the page violates no content security policy, and shows markup as text', async () => {
  const page = await chromium.open('about:blank');
  const complaints = await complaintsOf(page);
  await recordWeather(page);
  await page.route(/conditions.*%3Cimg/, (route) => {
    const json = { error: 'city contains invalid characters', message: '<b>is not allowed</b>' };
    return route.fulfill({ status: 400, json });
  });
  await page.goto(`${fixture.url}/?city=%3Cimg+src%3Dx%3E&country=%3Cb%3E`);
  await partsOf(page).message.getByText('<b>is not allowed</b>').waitFor();
  assert.equal(await page.locator('main img, main b').count(), 0);
  await searchFor(page, 'Stormy, Norway');
  await partsOf(page).days.nth(6).waitFor();
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes('400')),
    [],
  );
});

/** The sum of the layout shifts since the page was opened, without those after an input. */
const SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 200);
})`;

/** The rows of a card depend on the weather. Browsers call a sum below 0.1 good. */
const MOST_SHIFT = 0.01;

it('nothing moves visibly while a place is loading, on a phone and on a desktop', async () => {
  for (const [width, height] of [
    [390, 844],
    [1280, 900],
  ] as const) {
    const page = await chromium.open('about:blank', { viewport: { width, height } });
    await recordWeather(page);
    // Later than 500 ms after an input, a shift counts.
    await page.route(/conditions|forecast/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.fallback();
    });
    await page.route(/recent-searches/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.fulfill({ json: { recent_searches: [{ city: 'Hot', country: 'Norway' }] } });
    });
    // The browser has stored the list of the session.
    await page.addInitScript(`localStorage.recent ??= '[{"city":"Hot","country":"Norway"}]'`);
    await page.goto(fixture.url);
    await partsOf(page).recent.first().waitFor();
    assert.ok(Number(await page.evaluate(SHIFTS)) < MOST_SHIFT, `the first view, ${width}`);
    await page.goto(`${fixture.url}/?city=Rainy&country=Norway`);
    await partsOf(page).days.nth(6).waitFor();
    await partsOf(page).hours.nth(24).waitFor({ state: 'attached' });
    assert.ok(Number(await page.evaluate(SHIFTS)) < MOST_SHIFT, `the first place, ${width}`);
    await searchFor(page, 'Stormy, Norway');
    await partsOf(page).shows('Stormy');
    await partsOf(page).days.nth(6).waitFor();
    await partsOf(page).hours.nth(24).waitFor({ state: 'attached' });
    assert.ok(Number(await page.evaluate(SHIFTS)) < MOST_SHIFT, `another place, ${width}`);
  }
});

/**
 * Positions in pixels: the end of the titles, the start of the 27th in the table, and the start of
 * its last hour in the table and in the chart. Heights: those of the curve on this day.
 */
const STRIP = `(() => {
  const boxOf = (selector) => document.querySelector('.hours ' + selector).getBoundingClientRect();
  const [start, end, sign] = document.dir === 'rtl' ? ['right', 'left', -1] : ['left', 'right', 1];
  const chart = boxOf('.chart');
  return {
    positions: [
      boxOf('thead')[end],
      boxOf('#hours-2026-11-27')[start],
      boxOf('#hours-2026-11-27 tr:last-child')[start],
      chart[start] + (sign * chart.width * 58) / 72,
    ],
    heights: [...document.querySelector('.curve').points].slice(35, 59).map(({ y }) => Math.round(y)),
  };
})()`;

it('a day that is opened moves the strip to its hours, whose scale the curve has', async () => {
  // The 27th begins at the hour with index 35.
  const hours = hoursOf(
    timesFrom('2026-11-25T13:00', '+01:00', 72).map((time, index) => ({
      ...{ time, temperature: index < 35 ? -20 : index - 35 },
    })),
  );
  for (const locale of ['en', 'ar']) {
    for (const width of [320, 1280]) {
      const page = await open('', { locale, viewport: { width, height: 800 }, bypassCSP: true });
      await page.route(/hourly/, (route) => route.fulfill({ json: hours.body }));
      await page.goto(`${fixture.url}/?city=Rainy&country=Norway`);
      await partsOf(page).days.nth(2).click();
      await page.waitForFunction(`${STRIP}.heights[0] === 75`);
      const [titles, day, hour, chart] = await page.evaluate<number[]>(`${STRIP}.positions`);
      assert.ok(Math.abs(titles! - day!) < 1, `${locale} ${width}: ${titles} ${day}`);
      assert.ok(Math.abs(hour! - chart!) < 1, `${locale} ${width}: ${hour} ${chart}`);
      assert.equal(await page.evaluate(`${STRIP}.heights.at(-1)`), 15);
    }
  }
});

it('the row of a day has one line with temperatures, and one below it, on the smallest phone', async () => {
  for (const locale of ['en', 'de', 'ar']) {
    const page = await open('', { locale, viewport: { width: 320, height: 640 } });
    await page.goto(`${fixture.url}/?city=Cold&country=Norway`);
    await partsOf(page).days.nth(6).waitFor();
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.day')].map((row) => Math.round(row.offsetHeight))",
    );
    assert.deepEqual(new Set(heights), new Set([66]), locale);
  }
});

it('the field and the button for the location share a box, and the example has the direction of the page', async () => {
  const page = await open('', { locale: 'ar' });
  await page.locator('.here').waitFor();
  const [fieldStart, buttonStart, buttonEnd] = await page.evaluate<number[]>(`[
    document.querySelector('#place').getBoundingClientRect().left,
    document.querySelector('.here').getBoundingClientRect().left,
    document.querySelector('.here').getBoundingClientRect().right,
  ]`);
  assert.ok(buttonStart! >= fieldStart! && buttonEnd! < fieldStart! + 60);
  const direction = await page.evaluate(
    "getComputedStyle(document.querySelector('#place')).direction",
  );
  assert.equal(direction, 'rtl');
});

it('the page has a hint and a link to the API if JavaScript is turned off', async () => {
  const page = await chromium.open(fixture.url, { javaScriptEnabled: false });
  await page.getByText('does not need it').waitFor();
  await page.getByRole('link', { name: 'API' }).click();
  await page.waitForURL(/apidocs/);
});
