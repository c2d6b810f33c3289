import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partsOf, searchFor, useBrowser, weatherRequests } from '../support/browser.js';
import { useService } from '../support/conformance.js';

/** What the page at `/` makes of a name without its country, when no suggestion is taken. */

const fixture = useService();
const chromium = useBrowser();

describe('a name without its country', () => {
  it('that is no whole name of a city never becomes another place', async () => {
    const page = await chromium.open(fixture.url);
    const { message, choices, card } = partsOf(page);
    const sent = weatherRequests(page);
    for (const text of ['Cario', 'Parisa', 'Berli']) {
      await searchFor(page, text);
      await message.getByText(`No city called “${text}” is known.`).waitFor();
      await choices.first().waitFor();
    }
    assert.deepEqual([sent, await card.isVisible()], [[], false]);
  });

  it('that is a country or a region is told apart from cities of that name elsewhere', async () => {
    const page = await chromium.open(fixture.url);
    const { message, card, shows } = partsOf(page);
    const sent = weatherRequests(page);
    for (const text of ['India', 'Georgia', 'Cuba', 'France', 'Deutschland', 'Hawaii']) {
      await searchFor(page, text);
      await message.getByText(`“${text}” is a country or a region. Please add the city`).waitFor();
    }
    assert.deepEqual([sent, await card.isVisible()], [[], false]);
    await searchFor(page, 'Singapore');
    await shows('Singapore, Singapore');
  });

  it('is found by other names of the city, and the page says whose name it is', async () => {
    const page = await chromium.open(fixture.url);
    const { shows, status } = partsOf(page);
    for (const [text, place, words] of [
      ['München', 'Munich, Germany', '“München” is another name of Munich.'],
      ['北京', 'Beijing, China', '“北京” is another name of Beijing.'],
      ['Africa', 'Mahdia, Tunisia', '“Africa” is another name of Mahdia.'],
      ['reykjavik', 'Reykjavík, Iceland', ''],
    ] as const) {
      await searchFor(page, text);
      await shows(place);
      assert.equal(await status.innerText(), words);
    }
  });
});
