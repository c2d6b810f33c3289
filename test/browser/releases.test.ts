import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { PAGE_ASSETS } from '../../src/http/page/web-page.js';
import { partsOf, searchFor, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { recordWeather } from '../support/page-scenarios.js';

/** The page while replicas of two releases share an address: their files have different names. */

const fixture = useService();
const chromium = useBrowser();

type Release = 'A' | 'B';
const HASH = /-[A-Z\d]{8}(?=\.)/;
/** The name of a file in a release. Those of release A are the built ones. */
const nameIn = (release: Release, name: string): string =>
  release === 'A' ? name : name.replace(HASH, '-BBBBBBBB');

interface Visit {
  page: Page;
  /** The paths of the requests for the page and its files. */
  asked: string[];
  loads: () => number;
}

/** Opens the page. @param choose returns the release of the replica that gets the n-th request */
async function visit(
  choose: (path: string, number: number) => Release,
  locale = 'en',
): Promise<Visit> {
  const page = await chromium.open('about:blank', { locale });
  await recordWeather(page);
  const asked: string[] = [];
  await page.route(
    ({ origin, pathname }) => origin === fixture.url && /^\/($|page\/)/.test(pathname),
    async (route) => {
      const { pathname } = new URL(route.request().url());
      const release = choose(pathname, asked.push(pathname));
      const built = PAGE_ASSETS.find((name) => pathname === `/page/${nameIn(release, name)}`);
      if (pathname === '/') {
        const response = await route.fetch();
        const body = await response.text();
        const named = PAGE_ASSETS.reduce(
          (html, name) => html.replaceAll(name, nameIn(release, name)),
          body,
        );
        await route.fulfill({ response, body: named });
      } else if (built) {
        const response = await route.fetch({ url: `${fixture.url}/page/${built}` });
        await route.fulfill({ response });
      } else await route.fulfill({ status: 404, json: { error: 'Not found' } });
    },
  );
  await page.goto(`${fixture.url}/?city=Rainy&country=Norway`);
  const loads = () => asked.filter((path) => path === '/').length;
  return { page, asked, loads };
}

/** Waits for the weather of a place with the style of the page. */
async function works({ page }: Visit, place = 'Rainy'): Promise<void> {
  await partsOf(page).shows(place);
  await partsOf(page).days.nth(6).waitFor();
  const styled = `getComputedStyle(document.querySelector('.card')).borderTopStyle`;
  assert.equal(await page.evaluate(styled), 'solid');
  assert.equal(await page.locator('#incomplete:visible').count(), 0);
}

describe('with two releases behind one address', () => {
  it('a page that was opened before an upgrade works', async () => {
    let release: Release = 'A';
    const opened = await visit(() => release);
    await works(opened);
    release = 'B';
    await searchFor(opened.page, 'Stormy, Norway');
    await works(opened, 'Stormy');
    assert.equal(opened.loads(), 1);
  });

  it('a page whose release has gone, by an upgrade or a rollback, is loaded anew once', async () => {
    for (const [before, after] of [
      ['A', 'B'],
      ['B', 'A'],
    ] as const) {
      const opened = await visit((_path, number) => (number === 1 ? before : after));
      await works(opened);
      assert.equal(opened.loads(), 2);
      assert.equal(await opened.page.evaluate('history.state'), null);
    }
  });

  it('a page whose requests reach both releases in turn works', async () => {
    for (const first of [0, 1]) {
      const opened = await visit((_path, number) => ((number + first) % 2 === 0 ? 'A' : 'B'));
      await works(opened);
      assert.ok(opened.loads() <= 2);
    }
  });

  it('a page whose texts are missing is loaded anew once, and is English if they stay missing', async () => {
    for (const [missing, shown] of [
      [1, 'de'],
      [Infinity, 'en'],
    ] as const) {
      let left: number = missing;
      const isMissing = (path: string) => path.includes('/de-') && (left -= 1) >= 0;
      const opened = await visit((path) => (isMissing(path) ? 'B' : 'A'), 'de');
      await eventually(() => opened.loads() === 2, 'a second load');
      await works(opened);
      assert.equal(await opened.page.evaluate('document.documentElement.lang'), shown);
      assert.equal(opened.loads(), 2);
    }
  });

  it('a page that never gets its files says so, and is not loaded in a loop', async () => {
    const opened = await visit((path) => (path === '/' ? 'A' : 'B'));
    await opened.page.getByText('Some files of this page are missing').waitFor();
    await opened.page.waitForTimeout(500);
    assert.equal(opened.loads(), 2);
  });
});

describe('a browser that is older than the page needs', () => {
  for (const [what, script] of [
    ['has no AbortSignal', 'delete window.AbortSignal'],
    ['has an older AbortSignal', 'delete AbortSignal.prototype.throwIfAborted'],
  ]) {
    it(`shows that it is too old if it ${what}`, async () => {
      const page = await chromium.open('about:blank');
      await page.addInitScript(script!);
      await page.goto(fixture.url);
      await page.getByText('This browser is too old').waitFor();
      assert.equal(await page.locator('#app > *').count(), 0);
    });
  }
});
