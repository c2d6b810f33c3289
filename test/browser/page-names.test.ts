import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partsOf, searchFor, useBrowser, weatherRequests } from '../support/browser.js';
import { useService } from '../support/conformance.js';

/** How the page at `/` interprets a name without its country if the user chooses no suggestion. */

const fixture = useService();
const chromium = useBrowser();

describe('a name without its country', () => {
  it('never becomes another place if it is not the complete name of a city', async () => {
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

  it('asks for a city if it is a country or a region, although cities elsewhere have the name', async () => {
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

  it('can be another name of the city: the page then shows the main name', async () => {
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
