/** Takes the screenshots of the web page and the documentation, from the last build: `npm run docs:screenshots`. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ViewportSize } from 'playwright-core';
import { launchBrowser, partsOf } from '../support/browser.js';
import { providersAt, startReplica } from '../support/service.js';
import { startStubProvider } from '../support/stub-provider.js';

type ColorScheme = 'light' | 'dark';

const FOLDER = fileURLToPath(new URL('../../.github/screenshots/', import.meta.url));
const DESKTOP = { width: 800, height: 800 };
const PHONE = { width: 390, height: 1130 };

mkdirSync(FOLDER, { recursive: true });
const stub = await startStubProvider();
const service = await startReplica({
  ...providersAt(stub.url),
  RATE_LIMIT_PER_IP: '30',
});
const browser = await launchBrowser();
try {
  await takeWebPage('page-desktop-light', DESKTOP, 'light');
  await takeWebPage('page-phone-dark', PHONE, 'dark');
  await takeDocumentation('documentation-desktop-dark', DESKTOP, 'dark');
} finally {
  await browser.close();
  await Promise.all([service.stop(), stub.close()]);
}

async function takeWebPage(name: string, viewport: ViewportSize, colorScheme: ColorScheme) {
  const page = await browser.newPage({ viewport, colorScheme });
  const { days, shows } = partsOf(page);
  await page.goto(`${service.url}/?city=Edinburgh&country=Scotland`);
  await shows('Edinburgh, Scotland');
  await days.nth(6).waitFor();
  await page.screenshot({ path: `${FOLDER}${name}.png` });
}

async function takeDocumentation(name: string, viewport: ViewportSize, colorScheme: ColorScheme) {
  const page = await browser.newPage({ viewport, colorScheme });
  await page.goto(`${service.url}/apidocs/`);
  await page.locator('.opblock').first().waitFor();
  await page.evaluate(`document.querySelector('.opblock-tag-section').scrollIntoView()`);
  await page.screenshot({ path: `${FOLDER}${name}.png` });
}
