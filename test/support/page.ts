import { userEvent } from '@testing-library/user-event';
import { buildSync } from 'esbuild';
import { JSDOM, VirtualConsole, type Element } from 'jsdom';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { OLDEST_BROWSERS } from '../../tools/build/code.js';
import { nextIteration } from './eventually.js';
import { pageService } from './page-service.js';

/** The page at `/` in jsdom, which has no layout and no modules: its code is one script. */

const FOLDER = 'src/http/page/browser';
const HTML = readFileSync(`${FOLDER}/index.html`, 'utf8');
const [bundle] = buildSync({
  absWorkingDir: resolve(FOLDER),
  entryPoints: ['main.tsx'],
  bundle: true,
  write: false,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  target: OLDEST_BROWSERS,
}).outputFiles;
const CODE = bundle!.text;
/** The time at which the page is opened. */
export const OPENED_AT = Date.UTC(2026, 10, 24, 11);

interface PageOptions {
  /** Values of `localStorage`. */
  stored?: Record<string, unknown>;
  language?: string;
  isTouch?: boolean;
  savesData?: boolean;
  /** Runs before the code of the page, such as to forbid storage. */
  prepare?: (window: JSDOM['window']) => void;
  instead?: ReturnType<typeof pageService>['instead'];
}

export type OpenedPage = Awaited<ReturnType<typeof openPage>>;

/** Opens the page. Only `pass` moves its clock. An error fails the test. @param query of its URL */
export async function openPage(t: TestContext, query = '', options: PageOptions = {}) {
  const { stored = {}, language = 'en-IE', prepare, instead = {} } = options;
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: OPENED_AT });
  const service = pageService();
  service.instead = instead;
  const errors: Error[] = [];
  const { window } = new JSDOM(HTML, {
    url: `http://localhost/${query}`,
    runScripts: 'outside-only',
    // Otherwise, the page is hidden.
    pretendToBeVisual: true,
    virtualConsole: new VirtualConsole().on('jsdomError', (error) => errors.push(error)),
  });
  const { document } = window;
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  Object.assign(window, { setTimeout, setInterval, clearTimeout, clearInterval, Date });
  for (const [key, value] of Object.entries(stored)) {
    window.localStorage[key] = JSON.stringify(value);
  }
  // The rest is what jsdom lacks.
  type Receiver = (result: object) => void;
  const positions: { found: Receiver; failed: Receiver; options: object }[] = [];
  const geolocation = {
    getCurrentPosition: (found: Receiver, failed: Receiver, chosen: object) =>
      positions.push({ found, failed, options: { ...chosen } }),
  };
  const matchMedia = (query: string) => ({
    matches: query.includes('reduced-data') ? options.savesData : options.isTouch,
  });
  Object.assign(window, { fetch: service.fetch, matchMedia });
  Object.assign(window.HTMLElement.prototype, { scrollIntoView: () => undefined });
  Object.assign(window.navigator, { geolocation });
  const define = (name: string, value: unknown) =>
    Object.defineProperty(window.navigator, name, { value, configurable: true });
  define('language', language.split(',')[0]);
  define('languages', language.split(','));
  // The script in the page does this.
  document.querySelector('#plain')?.remove();
  prepare?.(window);
  t.after(() => {
    window.close();
    assert.deepEqual([...errors, ...service.undescribed], []);
  });

  const user = userEvent.setup({ document, delay: null });
  const all = (selector: string): Element[] => [...document.querySelectorAll(selector)];
  const textOf = ({ textContent }: Element) => textContent.replace(/\s+/g, ' ').trim();
  const page = {
    ...{ service, user, window, document, positions, define, all },
    one: (selector: string): Element => document.querySelector(selector)!,
    /** The text of the first element, with single spaces; empty if there is none. */
    text: (selector: string) => all(selector).slice(0, 1).map(textOf).join(''),
    texts: (selector: string) => all(selector).map(textOf),
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
    /** Pastes text into the field, and waits for suggestions: each key would redraw the page. */
    async type(text: string): Promise<void> {
      await user.clear(page.one('#place') as never);
      await user.paste(text);
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
