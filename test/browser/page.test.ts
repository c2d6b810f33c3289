import assert from 'node:assert/strict';
import { it } from 'node:test';
import { complaintsOf, partsOf, searchFor, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';

/** What the page at `/` needs of a browser. `test/http/page/` tests the rest without one. */

const fixture = useService();
const chromium = useBrowser();
const open = (query = '', options = {}) => chromium.open(`${fixture.url}/${query}`, options);

it('the page can be used with the keyboard alone', async () => {
  const page = await open();
  const { field, options, shows, recent } = partsOf(page);
  const press = (key: string) => page.keyboard.press(key);
  await press('Tab');
  await page.keyboard.type('munch');
  await options.first().waitFor();
  await press('ArrowDown');
  await press('Enter');
  await shows('Munich, Germany');
  assert.equal(await field.inputValue(), 'Munich, Germany');

  // The list of recent searches is loaded after the weather.
  await recent.waitFor();
  // Search, Use my location, two choices of units, the link of the source: then the recent searches.
  for (let stop = 0; stop < 6; stop++) await press('Tab');
  await recent.and(page.locator(':focus')).waitFor();
});

it('the page shows the nearest city, also after a reload, if it may use the location', async () => {
  const geolocation = { latitude: 52.4009, longitude: 13.0591 };
  const page = await open('', { geolocation, permissions: ['geolocation'] });
  const { here, shows } = partsOf(page);
  await here.click();
  await shows('Potsdam, Germany');
  await page.reload();
  await shows('Potsdam, Germany');
});

it('the page shows the recent searches of the session in all tabs', async () => {
  const one = await open();
  const two = await one.context().newPage();
  await two.goto(`${fixture.url}/`);
  for (const city of ['Oslo, Norway', 'Seattle, USA']) {
    await searchFor(one, city);
    await partsOf(one).shows(city);
  }
  const { recent, clear } = partsOf(two);
  await recent.nth(1).waitFor();
  assert.deepEqual(await recent.allInnerTexts(), ['Seattle, USA', 'Oslo, Norway']);
  await clear.click();
  await partsOf(one).clear.waitFor({ state: 'hidden' });
});

it('the page violates no content security policy, and shows markup as text', async () => {
  const page = await chromium.open('about:blank');
  const complaints = await complaintsOf(page);
  await page.goto(`${fixture.url}/?city=%3Cimg+src%3Dx%3E&country=%3Cb%3E`);
  await partsOf(page).message.getByText('A name may contain only letters').waitFor();
  assert.equal(await page.locator('main img, main b').count(), 0);
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes('400')),
    [],
  );
});

it('the page has a hint and a form that opens the JSON response if JavaScript is turned off', async () => {
  const page = await open('', { javaScriptEnabled: false });
  await page.getByText('The API does not need it').waitFor();
  await page.getByLabel('City', { exact: true }).fill('Seattle');
  await page.getByLabel('Country', { exact: true }).fill('USA');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('"city":"Seattle"').waitFor();
  assert.equal(await page.getByRole('combobox').count(), 0);
});
