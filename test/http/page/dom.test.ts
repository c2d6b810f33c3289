import assert from 'node:assert/strict';
import { it } from 'node:test';
import { OPENED_AT, openPage, type OpenedPage } from '../../support/page.js';
import {
  conditionsOf,
  daysOf,
  hoursOf,
  lateReply,
  placesOf,
  searchesOf,
  timesFrom,
  unavailable,
} from '../../support/page-service.js';
import { SCENARIOS } from '../../support/page-scenarios.js';

/** What the page at `/` shows, and how it reacts to keys, clicks, and its address. */

const OSLO = { city: 'Oslo', country: 'Norway' };
const LIMA = { city: 'Lima', country: 'Peru' };
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
  await page.press('{Tab}{Tab}pots');
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
  assert.equal(page.text('card-place'), 'Potsdam');
  assert.equal(page.service.callsFor('/conditions').length, 1);
  // The field has lost the focus, so that a phone closes its keyboard.
  assert.equal(page.document.activeElement.id, 'card-place');
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
});

it('the present weather has its facts, its source, its age, and a mark if it is stale or invented', async (t) => {
  const page = await openPage(t);
  const invented = { 'X-Cache': 'STALE', 'X-Weather-Provider': 'demo', Age: '3600' };
  page.service.instead.conditions = () => conditionsOf(OSLO, invented);
  await page.searchFor('oslo, Norway');
  assert.deepEqual(
    ['card-place', 'card-details', 'temperature', 'condition', 'feels-like', 'age'].map(page.text),
    [
      'Oslo',
      'Somewhere, Norway',
      '−4.2 °C',
      'Slight rain',
      'Feels like −9.6 °C',
      'Fetched 1 hour ago.',
    ],
  );
  assert.deepEqual(page.texts('facts'), [
    'Wind16.1 km/hfrom southwest',
    'Gusts31 km/h',
    'Precipitation0.4 mm/h',
    'Humidity81 %',
    'Dew point−6.8 °C',
    'Pressure1,013 hPa',
    'Cloud cover90 %',
    'Visibility8.2 km',
    'UV index0',
  ]);
  const arrow = page.document.querySelector('#facts path')!.getAttribute('transform');
  assert.equal(arrow, 'rotate(45 8 8)');
  assert.equal(page.text('source'), 'Weather data by Open-Meteo.com, CC BY 4.0');
  assert.equal(page.linksIn('source')[0]!.getAttribute('href'), 'https://open-meteo.com/');
  assert.equal(page.document.title, '−4.2 °C Oslo');
  assert.equal(page.text('announcement'), 'Oslo: −4.2 °C, Slight rain.');
  assert.equal(page.element('icon').getAttribute('class'), 'weather-icon cloud rain');
  assert.equal(page.document.body.dataset['sky'], 'rain-day');
  const parts = ['plain', 'app', 'card', 'stale', 'message', 'welcome'];
  assert.deepEqual(parts.filter(page.isShown), ['app', 'card', 'stale']);
  const { classList } = page.element('source');
  assert.equal(classList.contains('warning'), true);
  page.service.instead = {};
  await page.searchFor('Lima, Peru');
  assert.equal(page.text('age'), 'Fetched just now.');
  assert.deepEqual([page.isShown('stale'), classList.contains('warning')], [false, false]);
  // The age is updated every 15 seconds. Each of the two searches took 150 ms.
  await page.pass(60_000 - 300);
  await page.pass(14_999);
  assert.equal(page.text('age'), 'Fetched just now.');
  await page.pass(1);
  assert.equal(page.text('age'), 'Fetched 1 minute ago.');
  assert.deepEqual(page.service.aborted, []);
});

it('the present weather has the local time, and the sun of today', async (t) => {
  const page = await openPage(t, AT_OSLO);
  // OPENED_AT is eleven o'clock UTC.
  assert.equal(page.text('local-time'), 'Wednesday 01:00 local time');
  assert.equal(page.text('sun'), 'Sunrise 08:00 · Sunset 16:00');
  await page.pass(60_000);
  assert.equal(page.text('local-time'), 'Wednesday 01:01 local time');
  page.service.instead.days = () => daysOf([{ date: '2026-11-25', sunrise: null }]);
  await page.searchFor('Lima, Peru');
  assert.equal(page.text('sun'), 'Sunset 16:00');
  page.service.instead.days = () => daysOf([{ date: '2026-11-26' }]);
  await page.searchFor('Oslo, Norway');
  assert.equal(page.text('sun'), '');
});

it('the page does not show what a provider lacks', async (t) => {
  const page = await openPage(t);
  const { Unknown } = SCENARIOS;
  page.service.instead = {
    conditions: () => Unknown!.conditions,
    hours: () => Unknown!.hours,
    days: () => Unknown!.days,
  };
  await page.searchFor('Oslo, Norway');
  assert.deepEqual(page.texts('facts'), ['Wind16.1 km/h', 'Humidity81 %']);
  assert.deepEqual(['condition', 'feels-like', 'sun', 'hours-legend'].map(page.text), [
    '',
    '',
    '',
    '°C',
  ]);
  assert.equal(page.element('icon').getAttribute('class'), 'weather-icon');
  assert.equal(page.document.body.dataset['sky'], '');
  assert.equal(page.text('announcement'), 'Unknown: −4.2 °C.');
  const titles = [...page.document.querySelectorAll('#hours thead th')];
  assert.deepEqual(
    titles.map(({ textContent }) => textContent),
    ['Time', 'Weather', 'Temperature'],
  );
  const shapes = page.document.querySelectorAll('#hours rect');
  assert.deepEqual([...shapes], []);
  assert.doesNotMatch(page.document.body.textContent, /null|undefined|NaN/);
});

it('the next hours have labels for every third hour, a curve, bars, and a table', async (t) => {
  const page = await openPage(t);
  const times = timesFrom('2026-11-25T22:00', '+05:30', 8);
  page.service.instead.hours = () =>
    hoursOf(
      times.map((time, index) => ({
        ...{ time, temperature: 4 - index, is_day: index > 5 },
        precipitation: index < 2 ? 0.04 : index === 3 ? 2 : index === 4 ? null : 0,
        wind_speed: null,
      })),
    );
  await page.searchFor('Oslo, Norway');
  const rows = [...page.element('hours-strip').querySelectorAll('.labels')];
  const texts = rows.map((row) => [...row.children].map(({ textContent }) => textContent.trim()));
  assert.deepEqual(texts, [
    ['', '', ''],
    ['3°', '0°', '−3°'],
    ['0.1', '2', ''],
    ['23', 'Thu 02', '05'],
  ]);
  assert.equal(page.text('hours-legend'), '°C · mm of precipitation per 3 hours');
  const icons = [...rows[0]!.querySelectorAll('svg')].map((icon) => icon.getAttribute('class'));
  assert.deepEqual(icons, Array(3).fill('weather-icon cloud rain'));
  const shape = (selector: string, ...names: string[]) =>
    [...page.element('hours-strip').querySelectorAll(selector)].map((part) =>
      names.map((name) => part.getAttribute(name)).join(' '),
    );
  assert.deepEqual(shape('.chart', 'viewBox'), ['0 0 9 100']);
  assert.deepEqual(shape('.night', 'x', 'width'), ['0 6']);
  assert.deepEqual(shape('rect.rain', 'x', 'height'), ['0.15 0.45', '1.15 0.45', '3.15 22.5']);
  assert.match(shape('.curve', 'd')[0]!, /^M0\.5 8\.0C1 8\.0 1 16\.3 1\.5 16\.3C/);
  const cells = [...page.document.querySelectorAll('#hours-table tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  assert.deepEqual(cells.slice(0, 2).concat(cells.slice(3, 6)), [
    ['Time', 'Weather', 'Temperature', 'Precipitation', 'Chance of precipitation'],
    ['Wednesday, November 25, 22:00', 'Slight rain', '4 °C', '0 mm', '62 %'],
    ['Thursday, November 26, 00:00', 'Slight rain', '2 °C', '0 mm', '62 %'],
    ['01:00', 'Slight rain', '1 °C', '2 mm', '62 %'],
    ['02:00', 'Slight rain', '0 °C', '', '62 %'],
  ]);
});

it('the next hours have a gap where the provider left out an hour, and chances if it has no amounts', async (t) => {
  const page = await openPage(t);
  const [first, second, , fourth] = timesFrom('2026-11-25T13:00', '+01:00', 4);
  page.service.instead.hours = () =>
    hoursOf(
      [first, second, fourth].map((time, index) => ({
        ...{ time, precipitation: null, precipitation_probability: index * 9 },
      })),
    );
  await page.searchFor('Oslo, Norway');
  const d = page.document.querySelector('.curve')!.getAttribute('d')!;
  assert.deepEqual(d.match(/[MC]/g), ['M', 'C', 'M']);
  const rain = [...page.document.querySelector('.labels.rain')!.children];
  assert.deepEqual(
    rain.map(({ textContent }) => textContent),
    ['', '18 %'],
  );
  assert.equal(page.text('hours-legend'), '°C · chance of precipitation per 3 hours');
});

it('the next days have bars on one scale, with a credit only if it is another one', async (t) => {
  const page = await openPage(t, AT_OSLO);
  assert.equal(page.document.activeElement.id, '');
  const days = [...page.element('days-list').children].map((item) => [...item.children]);
  const summaries = days.map(([sentence, row]) => [sentence!.textContent, row!.title]);
  assert.deepEqual(summaries, [
    [
      'Today, Wednesday, November 25: Slight rain, −4 to 9 °C, 62 % chance of precipitation, 3.4 mm of precipitation.',
      'Slight rain',
    ],
    ['Thursday, November 26: Clear sky, −10 to 0 °C.', 'Clear sky'],
  ]);
  const rows = days.map(([, row]) => [...row!.children]);
  const texts = rows.map((parts) => parts.map(({ textContent }) => textContent.trim()));
  assert.deepEqual(texts, [
    ['Today', '', '62 %', '3.4 mm', '−4°', '', '9°'],
    ['Thu', '', '', '', '−10°', '', '0°'],
  ]);
  const icons = rows.map(([, icon]) => [icon!.id, icon!.getAttribute('class')]);
  assert.deepEqual(icons, [
    ['', 'weather-icon cloud rain'],
    ['', 'weather-icon sun alone'],
  ]);
  // The scale is from −9.6 to 9 °C, and freezing point is at 51.6 % of it.
  const bars = rows.map((parts) =>
    [...parts[5]!.children].map((line) =>
      ['class', 'x1', 'x2'].map((name) => line.getAttribute(name)).join(' '),
    ),
  );
  assert.deepEqual(bars, [
    ['scale 0 100%', 'cold 29.0% 51.6%', 'warm 51.6% 100.0%'],
    ['scale 0 100%', 'cold 0.0% 49.5%'],
  ]);
  const [sentence, row] = days[0]!.map((part) => part.getAttribute('aria-hidden'));
  assert.deepEqual([sentence, row], [null, 'true']);
  const parts = ['days', 'days-stale', 'days-source'];
  assert.deepEqual(parts.filter(page.isShown), ['days']);

  const late = lateReply();
  page.service.instead.days = () => late.reply;
  await page.searchFor('Lima, Peru');
  assert.equal(page.element('days').getAttribute('aria-busy'), 'true');
  assert.deepEqual([page.texts('days-list'), page.text('days-source')], [[], '']);
  late.send(daysOf(undefined, { 'X-Cache': 'STALE', 'X-Weather-Attribution': 'MET Norway' }));
  await page.pass(0);
  assert.deepEqual(parts.filter(page.isShown), parts);
  assert.deepEqual(['days-message', 'days-source'].map(page.text), ['', 'MET Norway']);
  assert.equal(page.element('days').getAttribute('aria-busy'), null);
});

const shownIn = ({ text, texts, document }: OpenedPage) =>
  [text('temperature'), document.title, texts('facts').join(), texts('days-list')[0]].join();
const IMPERIAL =
  /^24\.4 °F,24\.4 °F Oslo,Wind10 mph.*,Precipitation0\.02 in\/h,.*29\.92 inHg.*5\.1 mi.* 24 to 48 °F,.* 0\.13 in of/;

it('the weather is shown in the chosen units, which are stored', async (t) => {
  const page = await openPage(t, AT_OSLO);
  const [, imperial] = page.element('units').querySelectorAll('input');
  await page.click(imperial!);
  assert.match(shownIn(page), IMPERIAL);
  assert.match(page.text('hours-legend'), /^°F · in of/);
  assert.equal(page.window.localStorage['units'], 'imperial');
});

it('the weather is shown in the stored units, if there are any', async (t) => {
  assert.match(shownIn(await openPage(t, AT_OSLO, { units: 'imperial' })), IMPERIAL);
  t.mock.timers.reset();
  assert.match(shownIn(await openPage(t, AT_OSLO, { units: '{' })), /^−4\.2 °C,.*16\.1 km/);
});

it('the first view has example places, and the recent searches before them', async (t) => {
  const page = await openPage(t, '', {
    instead: { 'recent-searches': () => searchesOf([OSLO]) },
  });
  assert.deepEqual([page.isShown('welcome'), page.texts('recent-list')], [true, ['Oslo, Norway']]);
  const names = ['東京', 'München', 'القاهرة', 'São Paulo', 'Nairobi', 'Reykjavík'];
  assert.deepEqual(page.texts('example-list'), names);
  const [tokyo] = page.linksIn('example-list');
  assert.equal(new URLSearchParams(tokyo!.getAttribute('href')!).get('country'), '日本');
  const { recent, welcome } = { recent: page.element('recent'), welcome: page.element('welcome') };
  assert.equal(recent.compareDocumentPosition(welcome), 4);
  tokyo!.focus();
  await page.press('{Enter}');
  assert.equal(page.element('place').value, '東京, 日本');
  assert.equal(page.isShown('welcome'), false);
});

it('a view of a place costs three requests, and the list of recent searches one for the page', async (t) => {
  const page = await openPage(t, AT_OSLO);
  const query = 'city=Oslo&country=Norway';
  assert.deepEqual(page.service.calls.toSorted(), [
    `GET api/v1/conditions?${query}`,
    `GET api/v1/forecast/hourly?${query}&hours=24`,
    `GET api/v1/forecast?${query}&days=7`,
    'GET api/v1/recent-searches',
  ]);
  await page.click(page.linksIn('recent-list')[0]!);
  assert.equal(page.service.calls.length, 7);
});

it('the address has the search, so that links and the back button work', async (t) => {
  const page = await openPage(t);
  assert.deepEqual([page.isShown('card'), page.document.title], [false, 'Weather']);
  for (const text of ['Oslo, Norway', 'Oslo, Norway', 'Lima, Peru']) await page.searchFor(text);
  assert.equal(page.window.location.search, '?city=Lima&country=Peru');
  await page.back();
  assert.deepEqual([page.text('card-place'), page.isShown('card')], ['Oslo', true]);
  assert.equal(page.element('place').value, 'Oslo, Norway');
  const late = lateReply();
  page.service.instead.conditions = () => late.reply;
  await page.searchFor('Potsdam, Germany');
  // The repeated search for Oslo has no entry of its own.
  await page.back();
  await page.back();
  late.send(conditionsOf(OSLO));
  await page.pass(0);
  assert.deepEqual([page.window.location.search, page.document.title], ['', 'Weather']);
  assert.deepEqual(['status', 'announcement', 'days-list'].map(page.text), ['', '', '']);
  assert.deepEqual(['card', 'hours', 'days', 'message'].filter(page.isShown), []);
  assert.equal(page.isShown('welcome'), true);

  page.service.instead = { days: () => lateReply().reply };
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
  const details = 'Somewhere, Germany, 52.40, 13.06';
  assert.deepEqual(['card-place', 'card-details', 'status'].map(page.text), [
    'Potsdam',
    details,
    '',
  ]);
  assert.equal(page.element('place').value, '52.40, 13.06');
  assert.deepEqual(page.service.calls.slice(-3), [
    'GET api/v1/conditions/coordinates?lat=52.40&lon=13.06',
    'GET api/v1/forecast/hourly/coordinates?lat=52.40&lon=13.06&hours=24',
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
  assert.equal(page.text('card-place'), 'Lima');
  // Use my location, search, the link of the source: then the recent searches.
  page.element('place').focus();
  await page.press(`${'{Tab}'.repeat(5)}{Enter}`);
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
  page.service.instead['recent-searches'] = () => late.reply;
  await page.click(page.element('clear'));
  await page.searchFor('Oslo, Norway');
  late.send({ body: { message: 'Recent searches cleared' } });
  await page.pass(0);
  assert.equal(page.text('status'), 'The recent searches are cleared.');
  assert.deepEqual(page.texts('recent-list'), ['Oslo, Norway']);
  assert.deepEqual(structuredClone(page.posted.at(-1)), [OSLO]);

  page.otherTabs.dispatchEvent(new MessageEvent('message', { data: [LIMA, OSLO] }));
  assert.deepEqual(page.texts('recent-list'), ['Lima, Peru', 'Oslo, Norway']);
  await page.searchFor('Oslo, NORWAY');
  assert.deepEqual(page.texts('recent-list'), ['Oslo, NORWAY', 'Lima, Peru']);
});

it('the recent searches of the service follow those of the page, if they arrive later', async (t) => {
  const late = lateReply();
  const page = await openPage(t, AT_OSLO, {
    instead: { 'recent-searches': () => late.reply },
  });
  late.send(searchesOf([LIMA, { city: 'OSLO', country: 'norway' }]));
  await page.pass(0);
  assert.deepEqual(page.texts('recent-list'), ['Oslo, Norway', 'Lima, Peru']);

  const outdated = lateReply();
  t.mock.timers.reset();
  const other = await openPage(t, '', { instead: { 'recent-searches': () => outdated.reply } });
  other.otherTabs.dispatchEvent(new MessageEvent('message', { data: [OSLO] }));
  outdated.send(searchesOf([LIMA]));
  await other.pass(0);
  assert.deepEqual(other.texts('recent-list'), ['Oslo, Norway']);
});

it('the page warns if fewer than five searches remain', async (t) => {
  const page = await openPage(t);
  const limited = (remaining: number) =>
    conditionsOf(OSLO, {
      'X-RateLimit-Limit': '30',
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(OPENED_AT / 1000 + 90),
    });
  const at = new Date(OPENED_AT + 90_000).toLocaleTimeString('en-GB');
  for (const [remaining, text] of [
    [4, `4 more searches are possible now. Another becomes possible at ${at}.`],
    [5, ''],
    [1, `1 more search is possible now. Another becomes possible at ${at}.`],
  ] as const) {
    page.service.instead.conditions = () => limited(remaining);
    await page.searchFor('Oslo, Norway');
    assert.equal(page.text('limits'), text);
  }
});
