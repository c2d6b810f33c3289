import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { axe, violationsOf } from '../support/axe.js';
import { partsOf, searchFor, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';
import { recordWeather, SCENARIOS } from '../support/page-scenarios.js';

/** The page at `/` by the rules of axe (WCAG 2.2 AA and best practices), in each of its states. */

const fixture = useService();
const chromium = useBrowser();

async function openWithWeather(query = '', options: BrowserContextOptions = {}): Promise<Page> {
  const page = await chromium.open('about:blank', options);
  await recordWeather(page);
  await page.goto(`${fixture.url}/${query}`);
  return page;
}

/** Functions that bring the page into a state, after it was opened without a search. */
const STATES: Record<string, (page: Page) => Promise<unknown>> = {
  'the first view': async (page) => {
    await partsOf(page).examples.nth(5).waitFor();
  },
  suggestions: async (page) => {
    const { field, options } = partsOf(page);
    await field.fill('spring');
    await options.first().waitFor();
    await page.keyboard.press('ArrowDown');
  },
  'the first place is loading': async (page) => {
    await page.route(/conditions/, () => undefined);
    await searchFor(page, 'Hot, Norway');
    await page.getByText('Loading the weather for Hot, Norway').waitFor();
  },
  'the next hours and days are loading': async (page) => {
    await page.route(/forecast/, () => undefined);
    await searchFor(page, 'Hot, Norway');
    await partsOf(page).shows('Hot');
  },
  'the service cannot be reached': async (page) => {
    await searchFor(page, 'Stormy, Norway');
    await partsOf(page).days.nth(6).waitFor();
    await page.route(/api/, (route) => route.abort());
    await searchFor(page, 'Hot, Norway');
    await partsOf(page).message.getByText('does not respond').waitFor();
  },
  'a message with choices': async (page) => {
    await page.route(/conditions/, (route) =>
      route.fulfill({
        status: 400,
        json: { error: 'Geocoding failed', message: 'why' },
        headers: { Link: '<?city=London&country=UK>; rel="alternate"' },
      }),
    );
    await searchFor(page, 'Lodnon, UK');
    await partsOf(page).choices.first().waitFor();
  },
  'the details of a day': async (page) => {
    await searchFor(page, 'Rainy, Norway');
    await partsOf(page).days.first().click();
  },
  'without forecasts': async (page) => {
    await page.route(/forecast/, (route) => route.fulfill({ status: 503, json: { error: '' } }));
    await searchFor(page, 'Hot, Norway');
    await partsOf(page).message.getByText('The next hours are').waitFor();
  },
};

/** The weather that each tint of the page has, and the weather that is hard to show. */
for (const city of Object.keys(SCENARIOS)) {
  STATES[`the weather of “${city}”`] = async (page) => {
    const { hours, days, recent } = partsOf(page);
    await searchFor(page, `${city}, Norway`);
    await days.first().waitFor();
    await recent.first().waitFor();
    if (city === 'Outage') await page.getByText('The next hours are unavailable').waitFor();
    else await hours.nth(20).waitFor({ state: 'attached' });
  };
}

/** The width and height of devices, each with one color scheme. */
const DEVICES = {
  // 320 px is also a desktop of 1280 px at 400 % (WCAG 1.4.10).
  'small phone': [320, 640, 'light'],
  desktop: [1280, 800, 'dark'],
} as const;

/** Checks the current state on each device. */
async function checkEverywhere(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const [device, [width, height, colorScheme]] of Object.entries(DEVICES)) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violationsOf(page), [], `on a ${device}`);
    const tooWide = 'document.documentElement.scrollWidth > innerWidth';
    assert.equal(await page.evaluate(tooWide), false, `the page is too wide for a ${device}`);
    const cellTooWide =
      "[...document.querySelectorAll('.hours tbody > tr > *')].find((cell) => cell.scrollWidth > cell.clientWidth)?.innerText";
    assert.equal(await page.evaluate(cellTooWide), undefined, `wider than its hour on a ${device}`);
  }
}

describe('the page violates no accessibility rule in the state', () => {
  for (const [state, bring] of Object.entries(STATES)) {
    it(state, async () => {
      const page = await openWithWeather();
      await bring(page);
      await checkEverywhere(page);
    });
  }

  it('on paper, which has the table of hours with its titles, and no controls', async () => {
    const page = await openWithWeather('?city=Rainy&country=Norway');
    await partsOf(page).days.nth(6).waitFor();
    await page.emulateMedia({ media: 'print' });
    const heightOf = async (selector: string) =>
      (await page.locator(selector).first().boundingBox())?.height ?? 0;
    assert.ok((await heightOf('.hours thead')) > 10);
    assert.ok((await heightOf('.hours table')) > 400);
    assert.deepEqual([await heightOf('.chart'), await heightOf('.search')], [0, 0]);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 2);
  });

  for (const locale of ['ar', 'de', 'ja', 'ru']) {
    it(`in the language ${locale}`, async () => {
      for (const query of ['', '?city=Rainy&country=Norway']) {
        const page = await openWithWeather(query, { locale });
        if (query) {
          await partsOf(page).days.nth(6).waitFor();
          await partsOf(page).hours.nth(20).waitFor({ state: 'attached' });
          await partsOf(page).days.first().click();
        } else await partsOf(page).examples.first().waitFor();
        await checkEverywhere(page);
      }
    });
  }

  it('with forced colors', async () => {
    const page = await openWithWeather('?city=Rainy&country=Norway', { forcedColors: 'active' });
    await partsOf(page).days.nth(6).waitFor();
    await checkEverywhere(page);
  });

  it('without its script', async () => {
    const page = await chromium.open('about:blank');
    await page.route(/main-.+\.js/, (route) => route.abort());
    await page.goto(fixture.url);
    await page.getByText('Some files of this page').waitFor();
    await checkEverywhere(page);
  });
});
