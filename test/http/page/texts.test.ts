import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Failure } from '../../../src/http/page/browser/service/api-client.js';
import { actionOf } from '../../../src/http/page/browser/search/combobox-keys.js';
import { creditIn } from '../../../src/http/page/browser/place/credit.js';
import {
  errorText,
  outageText,
  positionErrorText,
} from '../../../src/http/page/browser/messages/error-texts.js';
import { queryIn, type Query } from '../../../src/http/page/browser/service/queries.js';

/** Texts of the page at `/`. Other tests of this folder show the rest of them on the page. */

const LODNON: Query = { city: 'Lodnon', country: 'UK' };
const POINT: Query = { lat: '0', lon: '-140' };

const failure = (status: number, title = '') => new Failure(status, title);

it('the page says why the weather is not shown', () => {
  for (const [failed, query, words] of [
    [failure(400, 'Missing required parameters'), LODNON, 'Please type a city and its country'],
    [failure(400, 'Invalid coordinates'), POINT, 'There is no such point on Earth.'],
    [failure(400, 'Geocoding failed'), POINT, 'No town is known near this point.'],
    [failure(400, 'Geocoding failed'), undefined, 'No town is known near this point.'],
    [failure(400, 'city is too long'), LODNON, 'This name is too long'],
    [failure(400, 'city contains invalid characters'), LODNON, 'A name may contain only letters'],
    [failure(503), undefined, 'The search for places is unavailable at the moment.'],
    [failure(500), LODNON, 'The service has failed. Please try again later.'],
  ] as const) {
    const text = errorText(failed, query);
    assert.ok(text.includes(words), text);
  }
  assert.match(positionErrorText(2), /location is unknown/);
  assert.match(outageText(true), /cannot be reached; /);
  assert.match(outageText(false), /^You are offline; /);
});

it('the page links the credit of a provider only to a website', () => {
  for (const text of ['Invented weather', '<https://a.example/>', 'Bad <javascript:alert()>']) {
    assert.deepEqual(creditIn(text), { text });
  }
});

it('a key in the field is for the suggestions unless the input method composes a character', () => {
  const one = { optionCount: 1, active: -1 };
  assert.equal(actionOf({ key: 'Escape', isComposing: false }, one).type, 'close');
  assert.equal(actionOf({ key: 'ArrowUp', isComposing: false }, one).type, 'activate');
  for (const key of ['Enter', 'Escape', 'ArrowDown']) {
    const action = actionOf({ key, isComposing: true }, { optionCount: 3, active: 0 });
    assert.deepEqual(action, { type: 'none' });
  }
});

it('an address has a query if it names a place, even incompletely', () => {
  assert.deepEqual(queryIn('?country=Norway'), { city: '', country: 'Norway' });
  assert.deepEqual(queryIn('?lon=2'), { lat: '', lon: '2' });
});
