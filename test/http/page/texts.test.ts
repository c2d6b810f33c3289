import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure, limitsOf } from '../../../src/http/page/browser/api-client.js';
import { actionOf } from '../../../src/http/page/browser/combobox-keys.js';
import { creditIn } from '../../../src/http/page/browser/credit.js';
import { dateAt } from '../../../src/http/page/browser/day-texts.js';
import { errorText, positionErrorText } from '../../../src/http/page/browser/error-texts.js';
import { nameOf, questionIn, type Question } from '../../../src/http/page/browser/questions.js';
import { ageText, suggestionsText } from '../../../src/http/page/browser/status-texts.js';
import { unitsOf } from '../../../src/http/page/browser/units.js';

/** Texts of the page at `/`. Other tests of this folder show the rest of them on the page. */

const LODNON: Question = { city: 'Lodnon', country: 'UK' };
const POINT: Question = { lat: '0', lon: '-140' };

const failure = (status: number, title = '') => new Failure(status, title);

describe('the text of the page', () => {
  it('says why the weather is not shown', () => {
    for (const [failed, question, words] of [
      [failure(400, 'Missing required parameters'), LODNON, 'Please type a city and its country'],
      [failure(400, 'Invalid coordinates'), POINT, 'There is no such point on Earth.'],
      [failure(400, 'Geocoding failed'), POINT, 'No town is known near this point.'],
      [failure(400, 'Geocoding failed'), undefined, 'No town is known near this point.'],
      [failure(400, 'city is too long'), LODNON, 'This name is too long'],
      [failure(400, 'city contains invalid characters'), LODNON, 'A name may contain only letters'],
      [failure(503), undefined, 'The search for places is unavailable at the moment.'],
      [failure(500), LODNON, 'The service has failed. Please try again later.'],
    ] as const) {
      const text = errorText(failed, question);
      assert.ok(text.includes(words), text);
    }
    assert.match(positionErrorText(2), /location is unknown/);
  });

  it('has the age of the weather, numbers, and values that are unknown', () => {
    const { temperature } = unitsOf({ temperature: 'C', wind: 'kmh' });
    for (const [text, expected] of [
      [ageText(59_999), 'Fetched just now.'],
      [ageText(3_599_999), 'Fetched 59 minutes ago.'],
      [ageText(3_600_000), 'Fetched 1 hour ago.'],
      [suggestionsText(1), '1 suggestion.'],
      [temperature(-0.04), '0 °C'],
      [dateAt('Mars/Olympus', 0), ''],
      [nameOf({ city: '', country: 'Norway' }), 'Norway'],
    ]) {
      assert.equal(text, expected);
    }
  });

  it('links the credit of a provider only to a website', () => {
    for (const text of ['Invented weather', '<https://a.example/>', 'Bad <javascript:alert()>']) {
      assert.deepEqual(creditIn(text), { text });
    }
  });
});

it('a key in the field does nothing while the input method composes a character', () => {
  for (const key of ['Enter', 'Escape', 'ArrowDown']) {
    const action = actionOf({ key, isComposing: true }, { optionCount: 3, active: 0 });
    assert.deepEqual(action, { type: 'none' });
  }
});

it('an address has a question if it names a place, even incompletely', () => {
  for (const [query, question] of [
    ['?city=Oslo', { city: 'Oslo', country: '' }],
    ['?country=Norway', { city: '', country: 'Norway' }],
    ['?lat=1', { lat: '1', lon: '' }],
    ['?lon=2', { lat: '', lon: '2' }],
    ['?units=C', undefined],
  ] as const) {
    assert.deepEqual(questionIn(query), question);
  }
});

it('a request is available at once if the reset of the rate limit is in the past', () => {
  const headers = new Headers({ 'X-RateLimit-Limit': '30', 'X-RateLimit-Reset': '1' });
  assert.deepEqual(limitsOf(headers), { limit: '30', remaining: '', moreIn: 0 });
});
