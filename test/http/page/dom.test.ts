import assert from 'node:assert/strict';
import { it } from 'node:test';
import { OPENED_AT, openPage, type OpenedPage } from '../../support/page.js';
import {
  forecastOf,
  lateReply,
  placesOf,
  unavailable,
  weatherOf,
} from '../../support/page-service.js';

/** What the page at `/` shows, and how it reacts to keys, clicks, and its address. */

const OSLO = { city: 'Oslo', country: 'Norway' };
const LIMA = { city: 'Lima', country: 'Peru' };
const STORED = '{"temperature":"F","wind":"mph"}';
const AT_OSLO = '?city=Oslo&country=Norway';

/** What a screen reader knows about the field and its suggestions. */
function fieldOf({ element, texts, isShown }: OpenedPage) {
  const options = [...element('suggestions').children];
  return {
    options: texts('suggestions'),
    isShown: isShown('suggestions'),
    expanded: element('place').getAttribute('aria-expanded'),
    active: element('place').getAttribute('aria-activedescendant'),
    selected: options.findIndex((option) => option.getAttribute('aria-selected') === 'true'),
  };
}
const CLOSED = { options: [], isShown: false, expanded: 'false', active: null, selected: -1 };
const OPEN = {
  options: ['Potsdam Brandenburg, Germany', 'Potsdam New York, United States'],
  isShown: true,
  expanded: 'true',
  active: null,
  selected: -1,
};

it('the suggestions follow the typed text after a pause, and are never those of an earlier text', async (t) => {
  const page = await openPage(t);
  await page.press('{Tab}pots');
  await page.pass(149);
  assert.deepEqual(page.service.callsFor('places'), []);
  await page.pass(1);
  assert.deepEqual(page.service.callsFor('places'), ['GET api/v1/places?q=pots&limit=10']);
  assert.deepEqual([fieldOf(page), page.text('status')], [OPEN, '2 suggestions.']);
  await page.press('x');
  assert.deepEqual([fieldOf(page), page.text('status')], [CLOSED, '']);
  await page.pass(150);
  assert.equal(page.text('status'), 'No suggestions. You can still search.');

  const late = lateReply();
  page.service.instead.places = (path) => (path.includes('q=lim&') ? late.reply : undefined);
  await page.type('lim');
  await page.type('pots');
  late.send(placesOf('lim'));
  await page.pass(0);
  assert.deepEqual([fieldOf(page), page.text('status')], [OPEN, '2 suggestions.']);
  page.service.instead.places = () => unavailable(1);
  await page.type('osl');
  assert.deepEqual(fieldOf(page), CLOSED);
  assert.match(page.text('status'), /^Suggestions are unavailable at the moment\./);
  await page.type(' ');
  assert.equal(page.text('status'), '');
});

it('the suggestions are chosen with the arrow keys, which also leave the list at both ends', async (t) => {
  const page = await openPage(t);
  await page.type('pots');
  for (const [key, selected] of [
    ['Down', 0],
    ['Down', 1],
    ['Down', -1],
    ['Up', 1],
    ['Up', 0],
    ['Up', -1],
    ['Up', 1],
    ['Up', 0],
  ] as const) {
    await page.press(`{Arrow${key}}`);
    const active = selected < 0 ? null : `suggestion-${selected}`;
    assert.deepEqual(fieldOf(page), { ...OPEN, active, selected });
    if (active) assert.equal(page.scrolledTo.at(-1), active);
  }
  assert.equal(page.scrolledTo.length, 6);
  await page.press('{Enter}');
  assert.deepEqual([fieldOf(page), page.text('status')], [CLOSED, '']);
  assert.equal(page.element('place').value, 'Potsdam, Germany');
  assert.equal(page.text('card-place'), 'Potsdam, Germany');
  assert.equal(page.service.callsFor('/weather').length, 1);
  assert.equal(page.document.activeElement.id, 'place');
});

it('the suggestions close with Escape, with a click, and if the field loses the focus', async (t) => {
  const page = await openPage(t);
  await page.type('pots');
  await page.press('{Escape}');
  assert.deepEqual([fieldOf(page), page.text('status')], [CLOSED, '']);
  assert.equal(page.element('place').value, 'pots');
  await page.press('{ArrowDown}');
  await page.pass(150);
  assert.deepEqual(fieldOf(page), OPEN);
  await page.press('{Tab}');
  assert.deepEqual([fieldOf(page), page.text('status')], [CLOSED, '']);
  await page.user.type(page.element('place') as never, 'd');
  await page.press('{Escape}');
  await page.pass(150);
  assert.deepEqual([fieldOf(page), page.element('place').value], [CLOSED, '']);
  await page.type('pots');
  await page.click(page.element('suggestion-1'));
  const name = 'Potsdam, New York, United States';
  assert.deepEqual([fieldOf(page), page.element('place').value], [CLOSED, name]);
  assert.equal(page.document.activeElement.id, 'place');
});

it('the weather has its values, its source, its age, the rate limit, and a mark if it is stale or invented', async (t) => {
  const page = await openPage(t);
  page.service.instead.weather = () =>
    weatherOf(OSLO, {
      'X-Cache': 'STALE',
      'X-Weather-Provider': 'demo',
      Age: '3600',
      'X-RateLimit-Limit': '30',
      'X-RateLimit-Remaining': '28',
      'X-RateLimit-Reset': String(OPENED_AT / 1000 + 90),
    });
  await page.searchFor('Oslo, Norway');
  assert.deepEqual(
    ['card-place', 'temperature', 'condition', 'humidity', 'wind', 'age'].map(page.text),
    ['Oslo, Norway', '−4.2 °C', 'Slight rain', '81 %', '16.1 km/h', 'Fetched 1 hour ago.'],
  );
  assert.equal(page.text('source'), 'Weather data by Open-Meteo.com, CC BY 4.0');
  assert.equal(page.linksIn('source')[0]!.getAttribute('href'), 'https://open-meteo.com/');
  assert.equal(page.document.title, '−4.2 °C Oslo, Norway');
  assert.equal(page.text('announcement'), 'Oslo, Norway: −4.2 °C, Slight rain.');
  assert.equal(page.element('icon').getAttribute('class'), 'weather-icon cloud rain');
  const parts = ['plain', 'app', 'card', 'stale', 'message'];
  assert.deepEqual(parts.filter(page.isShown), ['app', 'card', 'stale']);
  const { classList } = page.element('source');
  assert.equal(classList.contains('warning'), true);
  const at = new Date(OPENED_AT + 90_000).toLocaleTimeString('en-GB');
  const limits = `28 of 30 requests remain. One more becomes available at ${at}.`;
  assert.equal(page.text('limits'), limits);
  page.service.instead = {};
  await page.searchFor('Lima, Peru');
  assert.deepEqual([page.text('age'), page.text('limits')], ['Fetched just now.', limits]);
  assert.deepEqual([page.isShown('stale'), classList.contains('warning')], [false, false]);
  // The age is updated every 15 seconds. Each of the two searches took 150 ms.
  await page.pass(60_000 - 300);
  await page.pass(14_999);
  assert.equal(page.text('age'), 'Fetched just now.');
  await page.pass(1);
  assert.equal(page.text('age'), 'Fetched 1 minute ago.');
  assert.deepEqual(page.service.aborted, []);
});

it('the weather has the next days below it, with a credit only if it is another one', async (t) => {
  const page = await openPage(t, AT_OSLO);
  assert.equal(page.document.activeElement.id, '');
  const days = [...page.element('days').children].map((item) => [...item.children]);
  const summaries = days.map(([sentence, card]) => [sentence!.textContent, card!.title]);
  assert.deepEqual(summaries, [
    [
      'Today, Wednesday, November 25: Slight rain, −4 to 9 °C, 62 % chance of precipitation.',
      'Slight rain',
    ],
    ['Thursday, November 26: Clear sky, −10 to 0 °C.', 'Clear sky'],
  ]);
  const cards = days.map(([, card]) => [...card!.children]);
  const texts = cards.map((parts) => parts.map(({ textContent }) => textContent.trim()));
  assert.deepEqual(texts, [
    ['Today', '', '9° −4°', '62 %'],
    ['Thu', '', '0° −10°'],
  ]);
  const icons = cards.map(([, icon]) => [
    ...[icon!.id, icon!.getAttribute('class'), [...icon!.children].length],
  ]);
  assert.deepEqual(icons, [
    ['', 'weather-icon cloud rain', 8],
    ['', 'weather-icon sun alone', 8],
  ]);
  const [sentence, card] = days[0]!.map((part) => part.getAttribute('aria-hidden'));
  assert.deepEqual([sentence, card], [null, 'true']);
  const parts = ['forecast', 'forecast-legend', 'forecast-stale', 'forecast-source'];
  assert.deepEqual(parts.filter(page.isShown), ['forecast', 'forecast-legend']);

  const late = lateReply();
  page.service.instead.forecast = () => late.reply;
  await page.searchFor('Lima, Peru');
  assert.equal(page.text('forecast-message'), 'Loading the forecast …');
  assert.deepEqual([page.texts('days'), page.text('forecast-source')], [[], '']);
  assert.deepEqual(parts.slice(1, 3).filter(page.isShown), []);
  late.send(forecastOf(LIMA, { 'X-Cache': 'STALE', 'X-Weather-Attribution': 'MET Norway' }));
  await page.pass(0);
  assert.deepEqual(parts.filter(page.isShown), parts);
  assert.deepEqual(['forecast-message', 'forecast-source'].map(page.text), ['', 'MET Norway']);
});

const shownIn = ({ text, texts, document }: OpenedPage) =>
  [text('temperature'), text('wind'), document.title, texts('days')[0]].join();
const IMPERIAL = /^24\.4 °F,10 mph,24\.4 °F Oslo, Norway,.* 24 to 48 °F,/;

it('the weather is shown in the chosen units, which are stored', async (t) => {
  const page = await openPage(t, AT_OSLO);
  const [, fahrenheit, , mph] = page.element('units').querySelectorAll('input');
  await page.click(fahrenheit!);
  await page.click(mph!);
  assert.match(shownIn(page), IMPERIAL);
  assert.equal(page.window.localStorage['units'], STORED);
});

it('the weather is shown in the stored units, if there are any', async (t) => {
  assert.match(shownIn(await openPage(t, AT_OSLO, STORED)), IMPERIAL);
  t.mock.timers.reset();
  assert.match(shownIn(await openPage(t, AT_OSLO, '{')), /^−4\.2 °C,16\.1 km/);
});

it('the address has the search, so that links and the back button work', async (t) => {
  const page = await openPage(t);
  assert.deepEqual([page.isShown('card'), page.document.title], [false, 'Weather']);
  for (const text of ['Oslo, Norway', 'Oslo, Norway', 'Lima, Peru']) await page.searchFor(text);
  assert.equal(page.window.location.search, '?city=Lima&country=Peru');
  await page.back();
  assert.deepEqual([page.text('card-place'), page.isShown('card')], ['Oslo, Norway', true]);
  assert.equal(page.element('place').value, 'Oslo, Norway');
  const late = lateReply();
  page.service.instead.weather = () => late.reply;
  await page.searchFor('Potsdam, Germany');
  // The repeated search for Oslo has no entry of its own.
  await page.back();
  await page.back();
  late.send(weatherOf(OSLO));
  await page.pass(0);
  assert.deepEqual([page.window.location.search, page.document.title], ['', 'Weather']);
  assert.deepEqual(['status', 'announcement', 'days'].map(page.text), ['', '', '']);
  assert.deepEqual(['card', 'forecast', 'message'].filter(page.isShown), []);

  page.service.instead = { forecast: () => lateReply().reply };
  await page.searchFor('Oslo, Norway');
  await page.back();
  assert.match(page.service.aborted.at(-1)!, /forecast/);
});

it('the button "Use my location" shows the weather at the rounded position, or why the browser does not know it', async (t) => {
  const page = await openPage(t, AT_OSLO);
  await page.type('pots');
  await page.click(page.element('here'));
  assert.equal(page.text('status'), 'Waiting for your location …');
  assert.deepEqual(page.positions[0]!.options, { timeout: 20_000, maximumAge: 600_000 });
  page.positions[0]!.failed({ code: 1 });
  assert.match(page.text('message-text'), /^The browser may not use your location\./);
  const parts = ['card', 'message', 'again'];
  assert.deepEqual([parts.filter(page.isShown), page.text('status')], [parts.slice(0, 2), '']);

  await page.click(page.element('here'));
  page.positions[1]!.found({ coords: { latitude: 52.4009, longitude: 13.0591 } });
  await page.pass(0);
  assert.equal(page.window.location.search, '?lat=52.40&lon=13.06');
  assert.deepEqual(['card-place', 'status'].map(page.text), ['Potsdam, Germany', '']);
  assert.equal(page.element('place').value, '');
  assert.deepEqual(page.service.calls.slice(-2), [
    'GET api/v1/weather/coordinates?lat=52.40&lon=13.06',
    'GET api/v1/forecast/coordinates?lat=52.40&lon=13.06&days=7',
  ]);
  await page.click(page.element('here'));
  await page.searchFor('Oslo, Norway');
  page.positions[2]!.found({ coords: { latitude: 52.4009, longitude: 13.0591 } });
  page.positions[2]!.failed({ code: 1 });
  assert.deepEqual([page.window.location.search, page.isShown('message')], [AT_OSLO, false]);
});

it('the recent searches repeat a search, and can be cleared', async (t) => {
  const page = await openPage(t);
  assert.equal(page.isShown('recent'), false);
  assert.deepEqual(page.service.calls, ['GET api/v1/recent-searches']);
  await page.searchFor('Oslo, Norway');
  await page.searchFor('Lima, Peru');
  assert.deepEqual(page.texts('recent-list'), ['Lima, Peru', 'Oslo, Norway']);
  const link = page.linksIn('recent-list')[1]!;
  page.document.addEventListener('click', (event) => {
    // The browser opens another tab.
    event.preventDefault();
  });
  for (const key of ['Control', 'Meta', 'Shift']) {
    await page.press(`{${key}>}`);
    await page.click(link);
    await page.press(`{/${key}}`);
  }
  assert.equal(page.text('card-place'), 'Lima, Peru');
  // Use my location, two choices of units, the link of the source: then the recent searches.
  page.element('place').focus();
  await page.press(`${'{Tab}'.repeat(7)}{Enter}`);
  assert.equal(page.window.location.search, AT_OSLO);
  assert.deepEqual(page.texts('recent-list'), ['Oslo, Norway', 'Lima, Peru']);
  assert.equal(page.document.activeElement.id, 'card-place');

  page.service.instead['recent-searches'] = () => unavailable(1);
  await page.click(page.element('clear'));
  assert.match(page.text('status'), /^The recent searches cannot be cleared/);
  assert.deepEqual([page.isShown('recent'), page.texts('recent-list').length], [true, 2]);
  page.service.instead = {};
  await page.click(page.element('clear'));
  assert.equal(page.text('status'), 'The recent searches are cleared.');
  assert.deepEqual([page.isShown('recent'), page.document.activeElement.id], [false, 'place']);
  assert.equal(page.service.calls.at(-1), 'DELETE api/v1/recent-searches');
});

it('the recent searches are those of the last change, also of another tab', async (t) => {
  const page = await openPage(t);
  await page.searchFor('Lima, Peru');
  const late = lateReply();
  page.service.instead['recent-searches'] = (_path, method) =>
    method === 'DELETE' ? late.reply : undefined;
  await page.click(page.element('clear'));
  await page.searchFor('Oslo, Norway');
  late.send({ body: { message: 'Recent searches cleared' } });
  await page.pass(0);
  assert.equal(page.text('status'), 'The recent searches are cleared.');
  assert.deepEqual(page.texts('recent-list'), ['Oslo, Norway', 'Lima, Peru']);
  assert.deepEqual(page.posted.at(-1), [OSLO, LIMA]);

  const outdated = lateReply();
  page.service.instead['recent-searches'] = () => outdated.reply;
  await page.searchFor('Potsdam, Germany');
  page.otherTabs.dispatchEvent(new MessageEvent('message', { data: [OSLO] }));
  outdated.send({ body: { recent_searches: [LIMA] } });
  await page.pass(0);
  assert.deepEqual(page.texts('recent-list'), ['Oslo, Norway']);
});
