import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createLatestRequest } from '../../../src/http/page/browser/latest-request.js';
import { createPlaceClient } from '../../../src/http/page/browser/place-client.js';
import type { City } from '../../../src/http/page/browser/questions.js';
import { createSuggestions } from '../../../src/http/page/browser/suggestions.js';
import { createTextSearch } from '../../../src/http/page/browser/text-search.js';
import type { View } from '../../../src/http/page/browser/view.js';
import { createWeatherLoader } from '../../../src/http/page/browser/weather-loader.js';
import { nextIteration } from '../../support/eventually.js';

/** The searches of the page at `/`, while requests are late, fail, or are rejected. */

const OSLO = { city: 'Oslo', country: 'Norway' };
const LIMA = { city: 'Lima', country: 'Peru' };
const POINT = { lat: '52.40', lon: '13.06' };

const ok = (body: object) => Promise.resolve(Response.json(body));
const weatherIn = (city: string) => ok({ location: { city, country: '' } });
const failure = (status: number, body: object = {}, retryAfter = '0') =>
  Promise.resolve(Response.json(body, { status, headers: { 'Retry-After': retryAfter } }));
const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));

/** A page without a browser. `shown` is what the user sees. Its clock does not wait. */
function openPage(t: TestContext, respond: (path: string) => Promise<Response>) {
  const page = {
    shown: { status: '', message: '', weather: '', forecast: '', limits: '', retryAt: 0 },
    typed: '',
    nowMs: 0,
    paths: [] as string[],
    signals: [] as AbortSignal[],
    sleeps: [] as number[],
    offered: [] as City[],
    /** The cities that were found for a text, with their notes. */
    found: [] as [City, string][],
    /** Number of searches for cities that succeeded. */
    cities: 0,
    retry: (): void => undefined,
  };
  const { shown } = page;
  t.mock.method(globalThis, 'fetch', (path: string, { signal }: { signal: AbortSignal }) => {
    page.paths.push(path);
    page.signals.push(signal);
    return respond(path);
  });
  const forecasts = createLatestRequest();
  const view: View = {
    begin: () => (shown.status = ''),
    clear: () => undefined,
    showStatus: (text) => (shown.status = text),
    showWeather: ({ location }) => (shown.weather = location.city),
    beginForecast: () => forecasts.start(),
    showForecast: ({ timezone }) => (shown.forecast = timezone),
    showForecastError: (text) => (shown.forecast = text),
    showMessage: (text) => (shown.message = text),
    clearMessage() {
      Object.assign(shown, { message: '', retryAt: 0 });
    },
    showError(text) {
      Object.assign(shown, { status: '', weather: '', forecast: '', message: text, retryAt: 0 });
    },
    offerRetry(until, action) {
      shown.retryAt = until;
      page.retry = action;
    },
    offerCities: (cities) => (page.offered = cities),
    showLimits: (limits) => (shown.limits = limits?.remaining ?? shown.limits),
  };
  const clock = {
    now: () => page.nowMs,
    sleep(ms: number) {
      page.sleeps.push(ms);
      return Promise.resolve();
    },
  };
  const places = createPlaceClient(clock);
  const searches = createLatestRequest();
  const onCity = () => (page.cities += 1);
  const { load } = createWeatherLoader({ view, clock, places, searches, onCity });
  const { submit } = createTextSearch({
    view,
    clock,
    places,
    searches,
    typedText: () => page.typed,
    onCity: (city, note) => page.found.push([city, note]),
  });
  return Object.assign(page, { view, clock, places, load, submit });
}

/** A response that arrives when the test sends it. */
function lateResponse() {
  let send: (response: Response) => void = () => undefined;
  const response = new Promise<Response>((resolve) => (send = resolve));
  return { response, send };
}

/** Lets all promises settle. */
async function settle(): Promise<void> {
  for (let iteration = 0; iteration < 5; iteration += 1) await nextIteration();
}

describe('a search for a place', () => {
  it('shows its weather, then its forecast, and the remaining requests', async (t) => {
    const page = openPage(t, (path) =>
      path.includes('forecast')
        ? ok({ timezone: 'Europe/Oslo', days: [] })
        : Promise.resolve(
            Response.json(
              { location: OSLO },
              { headers: { 'X-RateLimit-Limit': '30', 'X-RateLimit-Remaining': '28' } },
            ),
          ),
    );
    await page.load(OSLO, 'a note');
    assert.deepEqual(page.shown, {
      status: 'a note',
      message: '',
      weather: 'Oslo',
      forecast: '',
      limits: '28',
      retryAt: 0,
    });
    await settle();
    assert.equal(page.shown.forecast, 'Europe/Oslo');
    assert.deepEqual([page.cities, page.shown.limits], [1, '28']);
    await page.load(POINT);
    assert.equal(page.cities, 1);
    const names = 'city=Oslo&country=Norway';
    const point = 'lat=52.40&lon=13.06';
    assert.deepEqual(page.paths, [
      `api/v1/weather?${names}`,
      `api/v1/forecast?${names}&days=7`,
      `api/v1/weather/coordinates?${point}`,
      `api/v1/forecast/coordinates?${point}&days=7`,
    ]);
  });

  it('never shows the response to an earlier search, however late it is', async (t) => {
    const late = lateResponse();
    const page = openPage(t, (path) => (path.includes('Lima') ? late.response : weatherIn('Oslo')));
    page.shown.message = 'of another search';
    const first = page.load(LIMA);
    assert.deepEqual([page.shown.status, page.shown.message], ['Loading the weather …', '']);
    await page.load(OSLO);
    assert.equal(page.signals[0]?.aborted, true);
    late.send(await weatherIn('Lima'));
    await first;
    assert.equal(page.shown.weather, 'Oslo');
  });

  it('that failed is sent again only after Retry-After, and other places meanwhile', async (t) => {
    let status = 503;
    const page = openPage(t, (path) =>
      path.includes('Oslo') ? failure(status, {}, '1') : weatherIn('Lima'),
    );
    await page.load(OSLO);
    assert.equal(page.shown.message, 'The weather is unavailable at the moment.');
    assert.equal(page.shown.retryAt, 1000);
    page.nowMs += 900;
    await page.load(LIMA);
    assert.deepEqual([page.shown.weather, page.shown.message], ['Lima', '']);
    const sent = page.paths.length;
    await page.load(OSLO);
    assert.equal(page.paths.length, sent);
    assert.deepEqual([page.shown.weather, page.shown.retryAt], ['', 1000]);
    page.nowMs += 100;
    status = 429;
    page.retry();
    await settle();
    assert.equal(page.paths.length, sent + 1);
    // After a 429, the service rejects requests for every place.
    await page.load(LIMA);
    assert.equal(page.paths.length, sent + 1);
    assert.deepEqual([page.shown.message, page.shown.retryAt], ['Too many searches.', 2000]);
  });

  it('without a response is repeated as soon as the service is available', async (t) => {
    let count = 0;
    const page = openPage(t, () => {
      count += 1;
      // The weather, five health checks; then the service is available, but not for the weather.
      if (count <= 6) return unreachable();
      return count === 8 ? failure(502) : weatherIn('Oslo');
    });
    const messages: string[] = [];
    page.clock.sleep = (ms) => {
      messages.push(page.shown.message);
      page.sleeps.push(ms);
      return Promise.resolve();
    };
    await page.load(OSLO);
    await settle();
    assert.match(messages[0]!, /^The service cannot be reached\./);
    assert.deepEqual(page.sleeps, [1000, 2000, 4000, 8000, 16_000, 16_000, 2000]);
    assert.deepEqual([page.shown.weather, page.shown.message], ['Oslo', '']);
  });

  it('for an unknown city offers similar ones', async (t) => {
    const body = { error: 'Geocoding failed', message: 'Unknown. Did you mean Oslo?' };
    const page = openPage(t, () => failure(400, body));
    await page.load({ city: 'Olso', country: 'Norway' });
    assert.equal(page.shown.message, 'No place called “Olso” is known in “Norway”.');
    assert.deepEqual(page.offered, [OSLO]);
    assert.deepEqual([page.sleeps, page.shown.retryAt], [[], 0]);
  });

  it('keeps the weather if the forecast fails, and waits after a 429 of the forecast', async (t) => {
    const page = openPage(t, (path) =>
      path.includes('forecast') ? failure(429, {}, '40') : weatherIn('Oslo'),
    );
    await page.load(OSLO);
    await settle();
    assert.equal(page.shown.weather, 'Oslo');
    assert.match(page.shown.forecast, /too many searches/);
    await page.load(LIMA);
    assert.deepEqual([page.shown.message, page.paths.length], ['Too many searches.', 2]);
  });
});

describe('a search for a typed text', () => {
  it('finds the city, or offers others, or asks for a text', async (t) => {
    const places = [{ ...OSLO, region: null }];
    const page = openPage(t, (path) =>
      path.includes('q=Oslo&') && !path.includes('country') ? ok({ places }) : failure(400),
    );
    await page.submit('Oslo');
    assert.deepEqual(page.found, [[{ ...OSLO, region: null }, '']]);
    assert.equal(page.shown.status, 'Searching for the place …');
    await page.submit('Oslox');
    assert.match(page.shown.message, /^No city called “Oslox” is known\./);
    assert.deepEqual(page.offered, places);
    await page.submit('');
    assert.equal(page.shown.message, 'Please type the name of a city.');
  });

  it('is repeated by a click, or when the service is available unless the text has changed', async (t) => {
    let respond: () => Promise<Response> = unreachable;
    const page = openPage(t, () => respond());
    page.clock.sleep = () => {
      respond = () => ok({ places: [] });
      return Promise.resolve();
    };
    page.typed = 'Lima';
    await page.submit('Lima');
    assert.match(page.shown.message, /^The service cannot be reached\./);
    await settle();
    assert.match(page.shown.message, /“Lima” is a country or a region/);
    respond = unreachable;
    page.typed = 'Lim';
    await page.submit('Lima');
    await settle();
    assert.equal(page.shown.message, '');
    respond = () => failure(429, {}, '1');
    await page.submit('Lima');
    respond = () => ok({ places: [] });
    page.nowMs = 1000;
    page.retry();
    await settle();
    assert.match(page.shown.message, /“Lima” is a country or a region/);
  });
});

describe('suggestions', () => {
  it('appear after a pause in typing, and never for an earlier text', async (t) => {
    const late = lateResponse();
    const page = openPage(t, (path) => {
      if (path.includes('Osl')) return late.response;
      return path.includes('Lima') ? ok({ places: [LIMA] }) : failure(503);
    });
    let shown: City[] = [];
    const { clock, places } = page;
    const { showStatus } = page.view;
    const show = (list: City[]) => (shown = list);
    const suggestions = createSuggestions({ clock, places, showStatus, show });
    const first = suggestions.refresh('Osl');
    await settle();
    await suggestions.refresh('Lima');
    assert.deepEqual([page.sleeps, page.signals[0]?.aborted], [[150, 150], true]);
    late.send(await ok({ places: [OSLO] }));
    await first;
    assert.deepEqual([shown, page.shown.status], [[LIMA], '1 suggestion.']);
    await suggestions.refresh('Quito');
    assert.deepEqual(shown, []);
    assert.match(page.shown.status, /^Suggestions are unavailable at the moment\./);
    await suggestions.refresh('');
    assert.equal(page.shown.status, '');
    assert.equal(page.sleeps.length, 3);
  });
});
