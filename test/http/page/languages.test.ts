import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { LANGUAGES } from '../../../src/weather/conditions/condition-texts.js';
import { useService } from '../../support/conformance.js';
import { openPage } from '../../support/page.js';
import { failure, rejected, unavailable } from '../../support/page-service.js';

/** The languages of the page at `/`. */

const fixture = useService();
const FOLDER = 'src/http/page/browser/texts';
const AT_OSLO = '?city=Oslo&country=Norway';
const textsIn = (language: string) =>
  JSON.parse(readFileSync(`${FOLDER}/${language}.json`, 'utf8')) as Record<string, string>;
const ENGLISH = textsIn('en');
const count = (text: string, part: string) => text.split(part).length - 1;

describe('the texts of the page', () => {
  const languages = LANGUAGES.filter((language) => language !== 'en');

  it('are in the languages of the conditions', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
    assert.deepEqual(
      files.sort(),
      LANGUAGES.map((language) => `${language}.json`),
    );
  });

  for (const language of languages) {
    it(`are complete in ${language}, with the same values and lists`, () => {
      const texts = textsIn(language);
      // A text that is missing would be English.
      const missing = Object.keys(ENGLISH).filter((name) => !texts[name]?.trim());
      const unknown = Object.keys(texts).filter((name) => !(name in ENGLISH));
      assert.deepEqual([missing, unknown], [[], []]);
      for (const [name, text] of Object.entries(ENGLISH)) {
        const own = texts[name]!;
        assert.deepEqual(
          [count(own, '{}'), count(own, '|')],
          [count(text, '{}'), count(text, '|')],
          name,
        );
      }
    });
  }
});

describe('the language of the page', () => {
  it('can be each language that has texts', async (t) => {
    for (const language of LANGUAGES) {
      const page = await openPage(t, '', { language });
      const { title, example } = textsIn(language);
      const shown = [page.text('h1'), page.one('#place').getAttribute('placeholder')];
      assert.deepEqual(shown, [title, example], language);
    }
  });

  it('is that of the example in the field, which the service finds', async () => {
    for (const language of LANGUAGES) {
      const query = new URLSearchParams({ q: textsIn(language)['example']! });
      const response = await fetch(`${fixture.url}/api/v1/places?${query.toString()}`);
      const { places } = (await response.json()) as { places: { city: string }[] };
      assert.equal(places[0]?.city, 'Oslo', language);
    }
  });

  for (const [languages, language, title] of [
    ['de-AT,en', 'de', 'Wetter'],
    ['fi,fr-CA,de', 'fr', 'Météo'],
    ['no', 'nb', 'Vær'],
    ['nn-NO', 'nb', 'Vær'],
    ['zh-CN', 'zh', '天气'],
    ['zh-SG', 'zh', '天气'],
    // Readers of traditional characters never get simplified ones.
    ['zh-TW,ja', 'ja', '天気'],
    ['zh-HK', 'en', 'Weather'],
    ['zh-TW,zh,en-US,en', 'en', 'Weather'],
    ['zh-MO,zh,ko', 'ko', '날씨'],
    ['zh-CN,zh,en', 'zh', '天气'],
    ['zh-Hant', 'en', 'Weather'],
    ['en-GB,de', 'en', 'Weather'],
    ['fi', 'en', 'Weather'],
    ['no-such-language-at-all,ko', 'ko', '날씨'],
  ] as const) {
    it(`is ${language} in a browser with ${languages}`, async (t) => {
      const page = await openPage(t, AT_OSLO, { language: languages });
      assert.equal(page.text('h1'), title);
      const asked = page.service.callsFor('lang=');
      assert.equal(asked.length, 4);
      for (const call of asked) assert.match(call, new RegExp(`lang=${language}(?:&|$)`));
    });
  }

  it('is that of numbers, units, dates, and ages, and determines the direction', async (t) => {
    const page = await openPage(t, AT_OSLO, { language: 'de-DE' });
    assert.deepEqual(
      [page.one('html').getAttribute('lang'), page.one('html').getAttribute('dir')],
      ['de-DE', 'ltr'],
    );
    assert.match(
      page.text('.card'),
      /Somewhere, Norwegen.*Mittwoch,? (?:um )?01:00 Ortszeit.*8 °C.*Gefühlt 6°/,
    );
    assert.match(
      page.text('.facts'),
      /Wind11 km\/h aus Südwesten.*Niederschlag0,4 mm\/h.*1\.009 hPa/,
    );
    assert.match(page.text('.days .visually-hidden'), /^heute, Mittwoch, 25\. November: /);
    await page.pass(120_000);
    assert.match(page.text('.card > p:last-child'), /^Abgerufen vor 2 Minuten\./);
    await page.type('osl');
    assert.deepEqual(page.texts('[role=option]'), ['Oslo Oslo, Norwegen']);
    const arabic = await openPage(t, AT_OSLO, { language: 'ar-EG' });
    assert.equal(arabic.one('html').getAttribute('dir'), 'rtl');
  });

  it('has the numbers, clock, and units of the region of the first language', async (t) => {
    for (const [language, time, temperature] of [
      ['fi-FI,en-US', /^Wednesday 1\.00 /, '8°C'],
      ['en-US,fi', /^Wednesday 1:00\sAM /, '47°F'],
      ['zh-TW,de', /^Mittwoch,? (?:um )?01:00 /, '8 °C'],
      ['C,es-US', /^miércoles,? (?:a las )?1:00\sa\.\s?m\., /, '47 °F'],
      ['no-such-language-at-all', /^Wednesday 1:00\sAM /, '8°C'],
    ] as const) {
      const page = await openPage(t, AT_OSLO, { language });
      assert.match(page.text('.card p:nth-of-type(3)'), time, language);
      assert.equal(page.text('.temperature').replace(/\s/, ' '), temperature, language);
    }
  });

  it('has its own messages for failed requests', async (t) => {
    const page = await openPage(t, '', { language: 'fr' });
    for (const [reply, text] of [
      [
        () => failure(400, 'Geocoding failed'),
        'Aucune ville nommée « Oslo, Norway » n’est connue.',
      ],
      [() => rejected(40), 'Trop de requêtes. Réessayez dans 40 secondes.'],
      [() => rejected(1800), 'Trop de requêtes. Réessayez dans 30 minutes.'],
      [() => unavailable(5), 'La météo est indisponible pour le moment.'],
    ] as const) {
      page.service.instead.conditions = reply;
      await page.searchFor('Oslo, Norway');
      assert.equal(page.text('[role=alert]'), text);
    }
    await page.searchFor('Oslox');
    assert.match(page.text('[role=alert]'), /« Oslox » n’est connue\. Ajoutez le pays/);
    await page.searchFor('75001');
    assert.equal(page.text('[role=alert]'), 'Saisissez le nom d’une ville.');
  });
});
