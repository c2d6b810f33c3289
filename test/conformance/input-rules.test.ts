import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertErrorForm, useService, weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';

const fixture = useService();

/** Asks by query string and by body, under both paths: the rules are the same. */
async function everyWay(city: string, country: string) {
  const body = { city, country };
  return Promise.all([
    ask(fixture.url + weatherOf(city, country)),
    ask(fixture.url + weatherOf(city, country, '/api/weather')),
    ask(`${fixture.url}/api/v1/weather`, { method: 'POST', body }),
    ask(`${fixture.url}/api/weather`, { method: 'POST', body }),
  ]);
}

const ASTRAL = '𠀋';

describe('the names of a lookup', () => {
  it('may have 100 characters and not 101, counted as code points after composing', async () => {
    for (const character of [
      'a',
      'é',
      'é'.normalize('NFD'),
      'ü'.normalize('NFD'),
      ASTRAL,
      '한'.normalize('NFD'),
      '京',
    ]) {
      for (const answer of await everyWay(character.repeat(100), 'USA')) {
        assertErrorForm(answer, 400, 'Geocoding failed');
      }
      for (const answer of await everyWay(character.repeat(101), 'USA')) {
        assertErrorForm(answer, 400, 'city is too long');
      }
      for (const answer of await everyWay('Seattle', character.repeat(101))) {
        assertErrorForm(answer, 400, 'country is too long');
      }
    }
  });

  it('does not count what is trimmed and collapsed', async () => {
    for (const answer of await everyWay(
      `  ${'a'.repeat(50)}${' '.repeat(60)}${'b'.repeat(49)}  `,
      'USA',
    )) {
      assertErrorForm(answer, 400, 'Geocoding failed');
    }
  });

  it('may be those of real places, in every script and with every sign', async () => {
    const names = [
      ['Saint-Denis', 'France'],
      ["Val-d'Or", 'Canada'],
      ['Val-d’Or', 'Canada'],
      ['St. Louis', 'USA'],
      ['Washington, D.C.', 'USA'],
      ['Kahaluʻu', 'USA'],
      ['São Tomé', 'São Tomé and Príncipe'],
      ['Łódź', 'Polska'],
      ['Ålesund', 'Norge'],
      ['Đà Nẵng', 'Việt Nam'],
      ['Москва', 'Россия'],
      ['Αθήνα', 'Ελλάδα'],
      ['東京', '日本'],
      ['서울', '대한민국'],
      ['القاهرة', 'مصر'],
      ['ירושלים', 'ישראל'],
      ['मुंबई', 'भारत'],
      ['กรุงเทพมหานคร', 'ประเทศไทย'],
      ['Reykjavík', 'Ísland'],
      ['İstanbul', 'Türkiye'],
      ["N'Djamena", 'Chad'],
      ['Abidjan', "Côte d'Ivoire"],
      ['Port-au-Prince', 'Haïti'],
    ] as const;
    for (const [city, country] of names) {
      const answer = await ask(fixture.url + weatherOf(city, country));
      assert.equal(answer.status, 200, `${city}, ${country}: ${answer.text}`);
      assert.deepEqual((answer.json as { location: object }).location, {
        city,
        country,
        latitude: null,
        longitude: null,
      });
    }
  });

  it('accepts words of SQL inside names', async () => {
    for (const city of [
      'Orange',
      'Andover',
      'Union',
      'Selected',
      'Settle',
      'Dropville',
      'Or',
      'Anderson',
    ]) {
      const { status, json } = await ask(fixture.url + weatherOf(city, 'USA'));
      const { error } = json as { error?: string };
      assert.ok(status === 200 || error === 'Geocoding failed', `${city}: ${String(error)}`);
    }
  });

  it('are echoed composed, also where the request was not', async () => {
    for (const answer of await everyWay('Zürich'.normalize('NFD'), 'Österreich'.normalize('NFD'))) {
      // Zürich is not in Austria: what counts is how the refusal names it.
      assert.match(assertErrorForm(answer, 400, 'Geocoding failed'), /'Zürich'.*'Österreich'/);
    }
  });
});
