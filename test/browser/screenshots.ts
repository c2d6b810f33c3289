/** Takes the pictures of page and documentation, from the last build: `npm run docs:screenshots`. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launchBrowser, partsOf } from '../support/browser.js';
import { providersAt, startReplica } from '../support/service.js';
import { startStandIn } from '../support/stand-in.js';

const FOLDER = fileURLToPath(new URL('../../.github/screenshots/', import.meta.url));
const DEVICES = {
  desktop: { viewport: { width: 800, height: 680 } },
  phone: { viewport: { width: 390, height: 760 } },
};

mkdirSync(FOLDER, { recursive: true });
const standIn = await startStandIn();
const service = await startReplica({
  ...providersAt(standIn.url),
  RATE_LIMIT_PER_IP: '30',
});
const browser = await launchBrowser();
try {
  for (const [device, { viewport }] of Object.entries(DEVICES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      const { recent, shows } = partsOf(page);
      for (const [city, country] of [
        ['Reykjavík', 'Iceland'],
        ['München', 'Deutschland'],
        ['Edinburgh', 'Scotland'],
      ] as const) {
        await page.goto(`${service.url}/?${new URLSearchParams({ city, country }).toString()}`);
        await shows(`${city}, ${country}`);
      }
      await recent.nth(2).waitFor();
      await page.screenshot({ path: `${FOLDER}page-${device}-${colorScheme}.png` });
      await page.goto(`${service.url}/apidocs/`);
      await page.locator('.opblock').first().waitFor();
      await page.evaluate(`document.querySelector('.opblock-tag-section').scrollIntoView()`);
      await page.screenshot({ path: `${FOLDER}documentation-${device}-${colorScheme}.png` });
      await context.close();
    }
  }
} finally {
  await browser.close();
  await Promise.all([service.stop(), standIn.close()]);
}
