import assert from 'node:assert/strict';
import { before, describe, it, mock } from 'node:test';
import type { Failure } from '../../../src/http/page/browser/api-client.js';
import {
  alternatives,
  interpret,
  suggest,
  withoutRegion,
} from '../../../src/http/page/browser/place-search.js';
import { useService } from '../../support/conformance.js';

/** How the page at `/` interprets a typed text. The service is real. */

const fixture = useService();
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
      const meant = await interpret(text, signal);
      assert.deepEqual([nameOf(meant.city!), meant.text], [city, note]);
    }
  });

  it('never becomes another place if it is not the complete name of a city', async () => {
    for (const text of ['Cario', 'Parisa', 'Berli', 'Qwxyzzy', 'London United States of America']) {
      const { city, text: words } = await interpret(text, signal);
      assert.deepEqual([city, words.includes(`No city called “${text}”`)], [undefined, true]);
    }
    for (const text of ['India', 'Georgia', 'France', 'Deutschland', 'Hawaii']) {
      const { city, text: words } = await interpret(text, signal);
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
      const [place] = await suggest(text, signal);
      const { region, country } = place!;
      assert.equal(`${withoutRegion(place!)} ${region}, ${country}`, first);
    }
    assert.equal((await suggest('spring', signal)).length, 6);
    assert.deepEqual(await suggest('Route 66', signal), []);
  });

  it('that is unknown has similar names', async () => {
    const find = async (city: string, country = '', message = '') =>
      (await alternatives({ city, country }, message, signal)).map(nameOf);
    assert.deepEqual(await find('Lodnon', 'UK', 'Unknown. Did you mean London, Luton, or Lo?'), [
      'London | UK',
      'Luton | UK',
      'Lo | UK',
    ]);
    assert.match((await find('Paris', 'Texa'))[0]!, /^Paris, Texas \| /);
    assert.match((await find('Potsdxy'))[0]!, /^Potsdam/);
    assert.deepEqual(await find('Xq'), []);
  });

  // The last test: for a minute, the page sends no more requests.
  it('is not looked up until the service accepts requests again', async (t) => {
    const headers = { 'Retry-After': '50' };
    const rejecting = t.mock.method(globalThis, 'fetch', () =>
      Promise.resolve(Response.json({ error: 'Rate limit exceeded' }, { status: 429, headers })),
    );
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await assert.rejects(suggest('Oslo', signal), (error: Failure) => {
        return error.status === 429 && error.retryAfter > 40 && error.retryAfter <= 50;
      });
    }
    assert.equal(rejecting.mock.callCount(), 1);
  });
});
