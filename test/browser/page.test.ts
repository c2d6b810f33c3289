import assert from 'node:assert/strict';
import { it } from 'node:test';
import { complaintsOf, partsOf, useBrowser } from '../support/browser.js';
import { useService } from '../support/conformance.js';

/** What the page at `/` needs of a browser. `test/http/page/` tests the rest without one. */

const fixture = useService();
const chromium = useBrowser();
const open = (query = '', options = {}) => chromium.open(`${fixture.url}/${query}`, options);

it('the page shows the nearest city, also after a reload, if it may use the location', async () => {
  const geolocation = { latitude: 52.4009, longitude: 13.0591 };
  const page = await open('', { geolocation, permissions: ['geolocation'] });
  const { here, shows } = partsOf(page);
  await here.click();
  await shows('Potsdam, Germany');
  await page.reload();
  await shows('Potsdam, Germany');
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
