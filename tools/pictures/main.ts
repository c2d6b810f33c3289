/**
 * `npm run docs:pictures` takes the pictures of the README: the web page and the documentation,
 * with weather that was really forecast. The stub provider serves a recorded reply of MET Norway,
 * and the clocks of the service and of the browser show the moment of the reply. Needs Chromium and
 * faketime.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { launchBrowser, OFFLINE } from '../../test/support/browser.js';
import { ensureCommand } from '../../test/support/packages.js';
import { PATHS, startStubProvider } from '../../test/support/stub-provider.js';

interface Recording {
  /** The time at which the reply was current. */
  moment: string;
  latitude: number;
  longitude: number;
  headers: Record<string, string>;
  body: object;
}

const SIZE = { width: 1280, height: 900 };
/** Time in which the page draws its charts, in milliseconds. */
const DRAWING_MS = 1000;

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const recording = JSON.parse(
  readFileSync(at('tools/pictures/met-norway-2024-09-25.json'), 'utf8'),
) as Recording;
const moment = Date.parse(recording.moment);

ensureCommand('faketime', 'faketime');
const provider = await startStubProvider({ now: () => moment });
provider.respond(PATHS.metNorway, recording.body, { headers: recording.headers });
const service = spawn('faketime', [`@${moment / 1000}`, process.execPath, at('dist/server.js')], {
  stdio: ['ignore', 'pipe', 'inherit'],
  // faketime starts the service as a process of its own: both end as a group.
  detached: true,
  env: {
    PATH: process.env['PATH'],
    TZ: 'UTC',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    ...{ HOST: '127.0.0.1', PORT: '0', WEATHER_PROVIDERS: 'met-norway' },
    MET_NORWAY_URL: provider.url,
  },
});
const browser = await launchBrowser([OFFLINE]);
try {
  const address = await started();
  const { latitude, longitude } = recording;
  const point = `?lat=${latitude.toFixed(2)}&lon=${longitude.toFixed(2)}`;
  await take(address + point, '#card-place', 'page-desktop-light.png', { colorScheme: 'light' });
  const documentation = new URL('apidocs/', address).href;
  await take(documentation, '.opblock', 'documentation-desktop-dark.png', { colorScheme: 'dark' });
} finally {
  await browser.close();
  process.kill(-service.pid!);
  await once(service, 'exit');
  await provider.close();
}

/** Waits until the service has started. @returns the address of the page */
async function started(): Promise<string> {
  for await (const line of createInterface({ input: service.stdout })) {
    const { event, address } = JSON.parse(line) as Record<string, string>;
    if (event === 'server_started') return `${address}/`;
  }
  throw new Error('the service has not started');
}

/** Opens an address, waits for an element, and takes a picture. */
async function take(
  address: string,
  element: string,
  name: string,
  options: BrowserContextOptions,
): Promise<void> {
  const context = await browser.newContext({
    ...{ viewport: SIZE, locale: 'en-GB', timezoneId: 'Europe/Paris' },
    ...options,
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(moment);
  await page.goto(address);
  await page.locator(element).first().waitFor({ timeout: 60_000 });
  await page.waitForTimeout(DRAWING_MS);
  await page.screenshot({ path: at(`.github/screenshots/${name}`) });
  await context.close();
  console.log(`.github/screenshots/${name}`);
}
