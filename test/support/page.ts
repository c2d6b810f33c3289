import { userEvent } from '@testing-library/user-event';
import { JSDOM, VirtualConsole, type Element } from 'jsdom';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { nextIteration } from './eventually.js';
import { pageService } from './page-service.js';

/** The page at `/` as it is built, in jsdom, which has no layout. */

const FOLDER = 'dist/http/page/browser';
const HTML = readFileSync(`${FOLDER}/index.html`, 'utf8');
const CODE = readFileSync(`${FOLDER}/main.js`, 'utf8');
/** The time at which the page is opened. */
export const OPENED_AT = Date.UTC(2026, 10, 24, 11);

interface PageOptions {
  units?: string;
  isTouch?: boolean;
  instead?: ReturnType<typeof pageService>['instead'];
}

export type OpenedPage = Awaited<ReturnType<typeof openPage>>;

/**
 * Opens the page. Its clock moves only by `pass`. The test fails if the page has an error.
 * @param query of its address
 * @param options what `localStorage` has for `units`, whether the device has a touchscreen, and other responses
 */
export async function openPage(
  t: TestContext,
  query = '',
  { units, isTouch = false, instead = {} }: PageOptions = {},
) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: OPENED_AT });
  const service = pageService();
  service.instead = instead;
  const errors: Error[] = [];
  const { window } = new JSDOM(HTML, {
    url: `http://localhost/${query}`,
    runScripts: 'outside-only',
    virtualConsole: new VirtualConsole().on('jsdomError', (error) => errors.push(error)),
  });
  const { document } = window;
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  Object.assign(window, { setTimeout, setInterval, clearTimeout, clearInterval, Date });
  Object.assign(window.performance, { now: () => Date.now() - OPENED_AT });
  // The rest is what jsdom lacks.
  const scrolledTo: string[] = [];
  type Receiver = (result: object) => void;
  const positions: { found: Receiver; failed: Receiver; options: object }[] = [];
  const posted: unknown[] = [];
  const otherTabs = Object.assign(new EventTarget(), {
    postMessage: (data: unknown) => posted.push(data),
  });
  function BroadcastChannel() {
    return otherTabs;
  }
  const matchMedia = () => ({ matches: isTouch });
  Object.assign(window, { fetch: service.fetch, BroadcastChannel, matchMedia });
  Object.assign(window.HTMLElement.prototype, {
    scrollIntoView(this: Element) {
      scrolledTo.push(this.id);
    },
  });
  const geolocation = {
    getCurrentPosition: (found: Receiver, failed: Receiver, options: object) =>
      positions.push({ found, failed, options: { ...options } }),
  };
  Object.assign(window.navigator, { geolocation });
  if (units !== undefined) window.localStorage['units'] = units;
  t.after(() => {
    window.close();
    assert.deepEqual([...errors, ...service.undescribed], []);
  });

  const user = userEvent.setup({ document, delay: null });
  const element = (id: string): Element => document.getElementById(id)!;
  const page = {
    ...{ service, user, window, document, element, scrolledTo, positions },
    ...{ posted, otherTabs },
    text: (id: string) => element(id).textContent,
    isShown: (id: string) => element(id).closest('[hidden]') === null,
    /** The texts of the items of a list. */
    texts: (id: string) => [...element(id).children].map(({ textContent }) => textContent),
    linksIn: (id: string) => [...element(id).querySelectorAll('a')],
    /** Advances the clock. */
    async pass(ms: number): Promise<void> {
      t.mock.timers.tick(ms);
      await nextIteration();
    },
    async back(): Promise<void> {
      window.history.back();
      await page.pass(0);
    },
    async click(target: Element): Promise<void> {
      await user.click(target as never);
      await nextIteration();
    },
    async press(keys: string): Promise<void> {
      await user.keyboard(keys);
      await nextIteration();
    },
    /** Replaces the text of the field, and waits for suggestions. */
    async type(text: string): Promise<void> {
      await user.clear(element('place') as never);
      await user.keyboard(text);
      await page.pass(150);
    },
    async searchFor(text: string): Promise<void> {
      await page.type(text);
      await page.press('{Enter}');
    },
  };
  window.eval(CODE);
  await nextIteration();
  return page;
}
