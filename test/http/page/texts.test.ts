import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure, isStale, limitsOf } from '../../../src/http/page/browser/api-client.js';
import { actionOf } from '../../../src/http/page/browser/combobox-keys.js';
import { creditIn } from '../../../src/http/page/browser/credit.js';
import { dateAt, dayTexts } from '../../../src/http/page/browser/day-texts.js';
import {
  errorText,
  forecastErrorText,
  positionErrorText,
} from '../../../src/http/page/browser/error-texts.js';
import { questionIn, queryOf, type Question } from '../../../src/http/page/browser/questions.js';
import {
  ageText,
  countdownText,
  limitsText,
  suggestionsText,
} from '../../../src/http/page/browser/status-texts.js';
import { unitsOf } from '../../../src/http/page/browser/units.js';
import { weatherTexts } from '../../../src/http/page/browser/weather-texts.js';

/** The texts of the page at `/`, and what it reads from addresses, headers, and keys. */

const LODNON: Question = { city: 'Lodnon', country: 'UK' };
const POINT: Question = { lat: '0', lon: '-140' };
const LIMITS = {
  Date: 'Tue, 24 Nov 2026 12:00:00 GMT',
  'X-RateLimit-Limit': '30',
  'X-RateLimit-Remaining': '4',
  'X-RateLimit-Reset': String(Date.UTC(2026, 10, 24, 12, 0, 20) / 1000),
};

const failure = (status: number, title = '', headers: Record<string, string> = {}) =>
  new Failure(status, title, '', new Headers(headers));

describe('the text of the page', () => {
  it('says why the weather is not shown', () => {
    for (const [failed, question, words] of [
      [failure(0), LODNON, 'The service cannot be reached.'],
      [failure(400, 'Missing required parameters'), LODNON, 'Please type a city and its country'],
      [failure(400, 'Invalid coordinates'), POINT, 'There is no such point on Earth.'],
      [failure(400, 'Geocoding failed'), POINT, 'No town is known near this point.'],
      [failure(400, 'Geocoding failed'), LODNON, 'No place called “Lodnon” is known in “UK”.'],
      [failure(400, 'Geocoding failed'), undefined, 'No town is known near this point.'],
      [failure(400, 'city is too long'), LODNON, 'This name is too long'],
      [failure(400, 'city contains invalid characters'), LODNON, 'A name may contain only letters'],
      [failure(429, '', LIMITS), LODNON, 'Too many searches: the limit is 30.'],
      [failure(429), LODNON, 'Too many searches.'],
      [failure(503), LODNON, 'The weather is unavailable at the moment.'],
      [failure(503), undefined, 'The search for places is unavailable at the moment.'],
      [failure(500), LODNON, 'The service has failed. Please try again later.'],
      [failure(500, '', { 'X-Request-ID': 'abc' }), LODNON, 'give the request ID abc.'],
    ] as const) {
      const text = errorText(failed, question);
      assert.ok(text.includes(words), text);
    }
    assert.match(forecastErrorText(failure(429)), /too many searches/);
    assert.match(forecastErrorText(failure(503)), /unavailable at the moment/);
    assert.match(positionErrorText(1), /may not use your location.*type the name of a city/);
    assert.match(positionErrorText(2), /location is unknown/);
  });

  it('counts suggestions, seconds, minutes, and hours', () => {
    assert.deepEqual(
      [0, 1, 2].map((count) => suggestionsText(count)),
      ['No suggestions. You can still search.', '1 suggestion.', '2 suggestions.'],
    );
    assert.deepEqual(
      [0, 900, 1001].map((ms) => countdownText(ms).replace('You can try again ', '')),
      ['now.', 'in 1 second.', 'in 2 seconds.'],
    );
    for (const [minutes, text] of [
      [0.9, 'Fetched just now.'],
      [1, 'Fetched 1 minute ago.'],
      [59.9, 'Fetched 59 minutes ago.'],
      [60, 'Fetched 1 hour ago.'],
      [150, 'Fetched 2 hours ago.'],
    ] as const) {
      assert.equal(ageText(minutes * 60_000), text);
    }
  });

  it('has the rate limit, by the clock of the service', () => {
    assert.equal(limitsOf(new Headers()), undefined);
    const limits = limitsOf(new Headers(LIMITS));
    assert.deepEqual(limits, { limit: '30', remaining: '4', moreIn: 20 });
    const late = { ...LIMITS, 'X-RateLimit-Reset': '1' };
    assert.equal(limitsOf(new Headers(late))?.moreIn, 0);
    // The time is that of the user's time zone.
    assert.match(
      limitsText(limits, Date.UTC(2026, 10, 24, 12, 0, 30)),
      /^4 of 30 requests remain\. One more becomes available at \d\d:\d\d:50\.$/,
    );
  });

  it('has temperatures and wind in the chosen units, rounded, with a minus sign', () => {
    const metric = unitsOf({ temperature: 'C', wind: 'km/h' });
    const imperial = unitsOf({ temperature: 'F', wind: 'mph' });
    for (const [celsius, ...texts] of [
      [-9.64, '−9.6 °C', '−10', '14.6 °F', '15'],
      [-0.04, '0 °C', '0', '31.9 °F', '32'],
      [21.5, '21.5 °C', '22', '70.7 °F', '71'],
    ] as const) {
      const written = [metric, imperial].flatMap((units) => [
        units.temperature(celsius),
        units.degrees(celsius),
      ]);
      assert.deepEqual(written, texts);
    }
    assert.deepEqual([metric.temperatureUnit, imperial.temperatureUnit], ['°C', '°F']);
    assert.deepEqual([metric.wind(16.09344), imperial.wind(16.09344)], ['16.1 km/h', '10 mph']);
  });

  it('describes a day with its weekday, and with the chance of precipitation if it is known', () => {
    const units = unitsOf({ temperature: 'C', wind: 'km/h' });
    const day = {
      date: '2026-03-01',
      temperature_min: -9.6,
      temperature_max: -0.4,
      condition: 'Snow',
      precipitation_probability: 62,
    };
    const visible = { minimum: '−10°', maximum: '0°' };
    assert.deepEqual(dayTexts(day, '2026-03-02', units), {
      ...visible,
      weekday: 'Sun',
      chance: '62 %',
      sentence: 'Sunday, March 1: Snow, −10 to 0 °C, 62 % chance of precipitation.',
    });
    assert.deepEqual(dayTexts({ ...day, precipitation_probability: null }, '2026-03-01', units), {
      ...visible,
      weekday: 'Today',
      chance: undefined,
      sentence: 'Today, Sunday, March 1: Snow, −10 to 0 °C.',
    });
    const instant = Date.UTC(2026, 2, 1, 11);
    assert.equal(dateAt('Pacific/Kiritimati', instant), '2026-03-02');
    assert.equal(dateAt('Mars/Base', instant), '');
  });

  it('describes the current weather', () => {
    const weather = {
      location: { city: 'Paris', country: '' },
      temperature: -4,
      condition: 'Clear sky',
      humidity: 40,
      wind_speed: 8,
    };
    const units = unitsOf({ temperature: 'C', wind: 'km/h' });
    const texts = {
      place: 'Paris',
      temperature: '−4 °C',
      wind: '8 km/h',
      humidity: '40 %',
      icon: 'weather-icon moon alone',
      title: '−4 °C Paris',
      announcement: 'Paris: −4 °C, Clear sky.',
    };
    const night = new Headers({ 'X-Weather-Is-Day': '0', 'X-Cache': 'STALE' });
    assert.deepEqual(weatherTexts(weather, night, units), texts);
    const day = new Headers();
    assert.equal(weatherTexts(weather, day, units).icon, 'weather-icon sun alone');
    assert.deepEqual([isStale(night), isStale(day)], [true, false]);
  });

  it('links the credit of a provider to its source', () => {
    assert.deepEqual(creditIn('Data from MET Norway <https://api.met.no/>, CC BY 4.0'), {
      text: 'Data from MET Norway',
      href: 'https://api.met.no/',
      rest: ', CC BY 4.0',
    });
    for (const text of ['Invented weather', '<https://a.example/>', 'Bad <javascript:alert()>']) {
      assert.deepEqual(creditIn(text), { text });
    }
  });
});

describe('the address of the page', () => {
  it('has the question, and every other address has none', () => {
    for (const question of [LODNON, POINT, { city: 'A&B', country: '' }]) {
      assert.deepEqual(questionIn(queryOf(question)), question);
    }
    assert.deepEqual(questionIn('?country=UK'), { city: '', country: 'UK' });
    assert.deepEqual(questionIn('?lon=1&city=Oslo'), { lat: '', lon: '1' });
    assert.equal(questionIn('?other=1'), undefined);
  });
});

describe('a key in the field with suggestions', () => {
  it('moves through them, with one stop outside, and chooses or closes', () => {
    for (const [key, optionCount, active, type, index] of [
      ['ArrowDown', 3, -1, 'activate', 0],
      ['ArrowDown', 3, 1, 'activate', 2],
      ['ArrowDown', 3, 2, 'activate', -1],
      ['ArrowUp', 3, -1, 'activate', 2],
      ['ArrowUp', 3, 0, 'activate', -1],
      ['ArrowDown', 0, -1, 'refresh', undefined],
      ['ArrowUp', 0, -1, 'none', undefined],
      ['Enter', 3, 0, 'choose', undefined],
      ['Enter', 3, -1, 'none', undefined],
      ['Escape', 1, -1, 'close', undefined],
      ['Escape', 0, -1, 'clear', undefined],
      ['a', 3, 0, 'none', undefined],
    ] as const) {
      const action = actionOf({ key, isComposing: false }, { optionCount, active });
      assert.deepEqual(action, index === undefined ? { type } : { type, index }, key);
      const composing = actionOf({ key, isComposing: true }, { optionCount, active });
      assert.deepEqual(composing, { type: 'none' });
    }
  });
});
