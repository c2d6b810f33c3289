import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { partsOf, searchFor, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';

/** The page at `/` by the rules of axe (WCAG 2.2 AA and best practices), in each of its states. */

const fixture = useService();
const chromium = useBrowser();

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`,
  );
}

/** Functions that bring the page into a state, after it was opened without a search. */
const STATES: Record<string, (page: Page) => Promise<unknown>> = {
  empty: (page) => partsOf(page).field.waitFor(),
  suggestions: async (page) => {
    const { field, options } = partsOf(page);
    await field.fill('spring');
    await options.first().waitFor();
    await page.keyboard.press('ArrowDown');
  },
  'the weather, the next days, and recent searches': async (page) => {
    const { shows, days, recent } = partsOf(page);
    await searchFor(page, 'Seattle, USA');
    await shows('Seattle, USA');
    await days.nth(6).waitFor();
    await recent.first().waitFor();
  },
  'a message with choices': async (page) => {
    const { choices } = partsOf(page);
    await searchFor(page, 'Lodnon, UK');
    await choices.first().waitFor();
  },
  'a long name': async (page) => {
    const city = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';
    const { shows, recent } = partsOf(page);
    await searchFor(page, `${city}, UK`);
    await shows(`${city}, UK`);
    await recent.first().waitFor();
  },
};

const DEVICES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };

/** Checks the present state in both color schemes, on both devices. */
async function checkEverywhere(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const [device, viewport] of Object.entries(DEVICES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violationsOf(page), [], `${colorScheme}, on a ${device}`);
    }
    const tooWide = 'document.documentElement.scrollWidth > innerWidth';
    assert.equal(await page.evaluate(tooWide), false, `the page is too wide for a ${device}`);
  }
}

describe('the page violates no accessibility rule in the state', () => {
  for (const [state, bring] of Object.entries(STATES)) {
    it(state, async () => {
      const page = await chromium.open(fixture.url);
      await bring(page);
      await checkEverywhere(page);
    });
  }

  it('without JavaScript', async () => {
    const page = await chromium.open('about:blank');
    await page.route(/main\.js$/, (route) => route.abort());
    await page.goto(fixture.url);
    await page.getByLabel('Country', { exact: true }).waitFor();
    await checkEverywhere(page);
  });
});
