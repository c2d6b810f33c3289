import assert from 'node:assert/strict';
import { before, describe, it, mock } from 'node:test';
import { browserClock } from '../../../src/http/page/browser/view/clock.js';
import { createPlaceClient } from '../../../src/http/page/browser/search/place-client.js';
import {
  guesses,
  interpret,
  suggest,
  withoutRegion,
} from '../../../src/http/page/browser/search/place-search.js';
import { useService } from '../../support/conformance.js';

/** How the page at `/` interprets a typed text. The service is real. */

const fixture = useService();
const client = createPlaceClient(browserClock);
const { signal } = new AbortController();
const { fetch } = globalThis;

// A browser resolves an address relative to the page.
before(() => {
  mock.method(globalThis, 'fetch', (path: string, init: RequestInit) =>
    fetch(new URL(path, fixture.url), init),
  );
});

const nameOf = ({ city, country }: { city: string; country: string }) => `${city} | ${country}`;

describe('a typed text', () => {
  it('means a city in the country that it names, or else the most likely city of this name', async () => {
    for (const [text, city, note] of [
      ['Potsdam, Germany', 'Potsdam | Germany', ''],
      ['  potsdam ,  DE ', 'potsdam | DE', ''],
      ['Springfield, Illinois, USA', 'Springfield, Illinois | USA', ''],
      ['Tehran, Iran, Islamic Republic of', 'Tehran | Iran, Islamic Republic of', ''],
      ['北京，中国', '北京 | 中国', ''],
      ['Potsdam', 'Potsdam | Germany', ''],
      ['reykjavik', 'Reykjavík | Iceland', ''],
      ['Singapore', 'Singapore | Singapore', ''],
      ['San José Costa Rica', 'San José | Costa Rica', ''],
      ['San Fernando Trinidad and Tobago', 'San Fernando | Trinidad and Tobago', ''],
      ['München', 'Munich | Germany', '“München” is another name of Munich.'],
      ['Africa', 'Mahdia | Tunisia', '“Africa” is another name of Mahdia.'],
    ] as const) {
      const meant = await interpret(client, text, signal);
      assert.deepEqual([nameOf(meant.city!), meant.text], [city, note]);
    }
  });

  it('never becomes another place if it is not the complete name of a city', async () => {
    for (const text of ['Cario', 'Parisa', 'Berli', 'Qwxyzzy', 'London United States of America']) {
      const { city, text: words } = await interpret(client, text, signal);
      assert.deepEqual([city, words.includes(`No city called “${text}”`)], [undefined, true]);
    }
    for (const text of ['India', 'Georgia', 'France', 'Deutschland', 'Hawaii']) {
      const { city, text: words } = await interpret(client, text, signal);
      assert.equal(city, undefined);
      assert.match(words, new RegExp(`^“${text}” is a country or a region\\.`));
    }
  });

  it('has suggestions that match an incomplete country or region', async () => {
    for (const [text, first] of [
      ['Paris, Te', 'Paris Texas, United States'],
      ['Potsdam, USA', 'Potsdam New York, United States'],
      ['Abidjan, Cote', "Abidjan Abidjan Autonomous District, Côte d'Ivoire"],
      ['Springfield, Illinois, United', 'Springfield Illinois, United States'],
    ] as const) {
      const [place] = await suggest(client, text, signal);
      const { region, country } = place!;
      assert.equal(`${withoutRegion(place!)} ${region}, ${country}`, first);
    }
    assert.equal((await suggest(client, 'spring', signal)).length, 6);
    assert.deepEqual(await suggest(client, 'Route 66', signal), []);
  });

  it('that is unknown has similar names', async () => {
    const find = async (city: string, country = '') =>
      (await guesses(client, { city, country }, signal)).map(nameOf);
    assert.match((await find('Paris', 'Texa'))[0]!, /^Paris, Texas \| /);
    assert.match((await find('Oslx'))[0]!, /^Osl/);
    assert.deepEqual(await find('Xq'), []);
  });

  it('is not looked up until the service accepts requests again', async (t) => {
    const clock = { ...browserClock, now: () => 0 };
    const { find } = createPlaceClient(clock);
    const rejection = { status: 503, headers: { 'Retry-After': '50' } };
    t.mock.method(globalThis, 'fetch', () => Promise.resolve(Response.json({}, rejection)));
    for (const [now, retryAfter] of [
      [0, 50],
      [48_999, 2],
      [50_000, 50],
    ] as const) {
      clock.now = () => now;
      await assert.rejects(find('Oslo', signal), { status: 503, retryAfter });
    }
  });
});
