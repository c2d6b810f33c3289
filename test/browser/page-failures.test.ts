import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partsOf, searchFor, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';

/** The page at `/` while the service fails or rejects requests. */

const fixture = useService();
const chromium = useBrowser();

const SEATTLE = '?city=Seattle&country=USA';

describe('a rate limit', () => {
  it('is counted down, and no request is sent before', async () => {
    const limited = await fixture.replica({
      RATE_LIMIT_PER_IP: '1',
      RATE_LIMIT_PER_IP_WINDOW_SECONDS: '3600',
      TRUST_PROXY: '1',
    });
    const page = await chromium.open(limited.url);
    const { message, countdown, again, shows } = partsOf(page);
    await page.clock.install();
    await page.goto(`${limited.url}/${SEATTLE}`);
    await shows('Seattle, USA');
    await searchFor(page, 'Oslo, Norway');
    await message.getByText('the limit is 1.').waitFor();
    assert.match(await countdown.innerText(), /^You can try again in \d{4} seconds\.$/);
    assert.equal(await again.isVisible(), false);

    await page.clock.fastForward(1_000_000);
    await searchFor(page, 'Lima, Peru');
    await countdown.getByText(/ in 2[56]\d\d seconds/).waitFor();

    // The clock of the service has not moved, so another client IP stands for an hour later.
    await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '192.0.2.7' });
    await page.clock.fastForward(2_700_000);
    await countdown.getByText('You can try again now.').waitFor();
    await again.click();
    await shows('Lima, Peru');
    assert.equal(await message.isVisible(), false);
  });
});

describe('a failing service', () => {
  it('that is down leads to a message, and to the weather as soon as the service is up again', async () => {
    const first = await fixture.replica();
    const page = await chromium.open(first.url);
    const { message, shows } = partsOf(page);
    await first.stop();
    await searchFor(page, 'Oslo, Norway');
    await message.getByText('The service cannot be reached.').waitFor();
    await fixture.replica({ PORT: new URL(first.url).port });
    await shows('Oslo, Norway');
    assert.equal(await message.isVisible(), false);
  });

  it('makes the page mark stale and invented weather', async () => {
    const demo = await fixture.replica({ WEATHER_PROVIDERS: 'demo' });
    const page = await chromium.open('about:blank');
    await page.route(/api\/v1\/(?:weather|forecast)/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-cache': 'STALE' } });
    });
    await page.goto(`${demo.url}/${SEATTLE}`);
    await page.getByText('This is the latest known weather.').waitFor();
    await page.getByText('This is the latest known forecast.').waitFor();
    await page.locator('#source.warning').getByText('Invented weather').waitFor();
  });
});
