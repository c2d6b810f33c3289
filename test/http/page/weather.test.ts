import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openPage, type OpenedPage } from '../../support/page.js';
import { SCENARIOS } from '../../support/page-scenarios.js';
import { conditionsOf, daysOf, hoursOf, lateReply, timesFrom } from '../../support/page-service.js';

/** How the page at `/` shows the weather of a place. */

const OSLO = { city: 'Oslo', country: 'Norway' };
const AT_OSLO = '?city=Oslo&country=Norway';

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
