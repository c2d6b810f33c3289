import { after, afterEach, before, type TestContext } from 'node:test';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { ARTIFACTS } from './artifacts.js';
import { ensureCommand } from './packages.js';

/** Starts the browser in `CHROMIUM`, or Chromium of the system. */
export async function launchBrowser(args: string[] = []): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (!process.env['CHROMIUM']) ensureCommand('chromium', 'chromium');
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Containers have little shared memory.
      '--disable-dev-shm-usage',
      ...args,
    ],
  });
}

/** Arguments with which no host name can be resolved, as without internet. */
export const OFFLINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** A browser for the tests of the file that calls this. The pages of a test are closed after it. */
export function useBrowser() {
  let browser: Browser | undefined;
  before(async () => {
    browser = await launchBrowser([OFFLINE]);
  });
  afterEach(async (t) => {
    const contexts = browser?.contexts() ?? [];
    if (!(t as TestContext & { passed: boolean }).passed) await keepScreenshots(contexts, t.name);
    await Promise.all(contexts.map((context) => context.close()));
  });
  after(() => browser?.close());
  return {
    /** Opens a URL with cookies of its own. */
    async open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser!.newContext(options);
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
  };
}

/** Saves screenshots of a failed test as artifacts of CI. */
async function keepScreenshots(contexts: BrowserContext[], test: string): Promise<void> {
  const name = test.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100);
  for (const [n, page] of contexts.flatMap((context) => context.pages()).entries()) {
    await page
      .screenshot({ path: `${ARTIFACTS}/${name}-${n}.png`, fullPage: true })
      .catch(() => null);
  }
}

/** Collects the warnings, errors, and failed requests of a page. */
export async function complaintsOf(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    const reason = String(request.failure()?.errorText);
    // The page itself aborts a request for suggestions if the user searches before the response.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason}: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  await page.exposeFunction('reportViolation', (violation: string) => complaints.push(violation));
  await page.addInitScript(`
    document.addEventListener('securitypolicyviolation', (event) =>
      reportViolation(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
  `);
  return complaints;
}

/** The elements of the page at `/`. */
export function partsOf(page: Page) {
  const inside = (section: string, part: string): Locator => page.locator(`.${section} ${part}`);
  return {
    field: page.getByRole('combobox', { name: 'City and country' }),
    options: page.getByRole('listbox').getByRole('option'),
    here: page.getByRole('button', { name: 'Use my location' }),
    message: page.getByRole('alert'),
    choices: inside('message', 'a'),
    recent: inside('recent', 'a'),
    days: inside('days', 'li'),
    hours: inside('hours', 'tr'),
    examples: inside('examples', 'a'),
    /** Waits for the weather of a place. */
    shows: (place: string) =>
      page.locator('#card-place').getByText(place, { exact: true }).waitFor(),
  };
}

/** Types a place into the page at `/` and searches for it. */
export async function searchFor(page: Page, text: string): Promise<void> {
  await partsOf(page).field.fill(text);
  await page.keyboard.press('Enter');
}
