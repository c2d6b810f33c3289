import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openPage, type OpenedPage } from '../../support/page.js';
import {
  conditionsOf,
  lateReply,
  placesOf,
  searchesOf,
  unavailable,
} from '../../support/page-service.js';

/** The search of the page at `/`, its suggestions, and its address. */

const LIMA = { city: 'Lima', country: 'Peru' };

/** What a screen reader knows about the field and its suggestions. */
const fieldOf = ({ one, texts, all }: OpenedPage) => [
  texts('[role=option]'),
  one('#place').getAttribute('aria-expanded'),
  one('#place').getAttribute('aria-activedescendant'),
  all('[role=option]').findIndex((option) => option.getAttribute('aria-selected') === 'true'),
];
const CLOSED = [[], 'false', null, -1];
const OPTIONS = ['Potsdam Brandenburg, Germany', 'Potsdam New York, United States'];

it('the service gets "and" for &, which it does not accept', async (t) => {
  const page = await openPage(t);
  page.one('#place').focus();
  await page.press('Sarajevo, Bosnia & Herz');
  await page.pass(150);
  const path = 'GET api/v1/places?q=Sarajevo%2C+Bosnia+and+Herz&limit=6';
  assert.deepEqual(page.service.callsFor('places'), [path]);
});

it('the suggestions follow the typed text after a pause, and are never those of an earlier text', async (t) => {
  const page = await openPage(t);
  page.one('#place').focus();
  await page.press('pots');
  await page.pass(149);
  assert.deepEqual(page.service.callsFor('places'), []);
  await page.pass(1);
  assert.deepEqual(page.service.callsFor('places'), ['GET api/v1/places?q=pots&limit=6']);
  assert.deepEqual(fieldOf(page), [OPTIONS, 'true', null, -1]);
  assert.equal(page.text('#status'), 'Suggestions: 2');
  await page.press('x');
  assert.deepEqual(fieldOf(page), CLOSED);
  await page.pass(150);
  assert.equal(page.text('#status'), 'No suggestions. You can still search.');

  const late = lateReply();
  page.service.instead.places = (path) => (path.includes('q=lim&') ? late.reply : undefined);
  await page.type('lim');
  await page.type('pots');
  late.send(placesOf('lim'));
  await page.pass(0);
  assert.deepEqual(fieldOf(page)[0], OPTIONS);
  page.service.instead.places = () => unavailable(1);
  await page.type('osl');
  assert.deepEqual(fieldOf(page), CLOSED);
  assert.match(page.text('#status'), /^No suggestions/);
});

it('the suggestions are chosen with the arrow keys or a click, and close with Escape and Tab', async (t) => {
  const page = await openPage(t);
  await page.type('pots');
  for (const [key, active] of [
    ...[['Down', 0] as const, ['Down', 1] as const, ['Down', -1] as const],
    ...[['Up', 1] as const, ['Up', 0] as const, ['Up', -1] as const, ['Down', 0] as const],
  ]) {
    await page.press(`{Arrow${key}}`);
    assert.deepEqual(fieldOf(page).slice(2), [active < 0 ? null : `suggestion-${active}`, active]);
  }
  await page.press('{Enter}');
  assert.deepEqual(fieldOf(page), CLOSED);
  assert.equal(page.one('#place').value, 'Potsdam, Germany');
  assert.deepEqual(
    [page.text('#card-place'), page.document.activeElement.id],
    ['Potsdam', 'card-place'],
  );
  for (const key of ['{Escape}', '{Tab}']) {
    await page.type('pots');
    assert.deepEqual(fieldOf(page)[0], OPTIONS);
    await page.press(key);
    assert.deepEqual([fieldOf(page), page.one('#place').value], [CLOSED, 'pots']);
  }
  page.one('#place').focus();
  await page.press('{ArrowDown}');
  await page.pass(150);
  await page.click(page.all('[role=option]')[1]!);
  assert.equal(page.one('#place').value, 'Potsdam, New York, United States');
});

it('a typed text is a place only if it is a complete name, and else the page asks', async (t) => {
  const page = await openPage(t);
  for (const [text, search] of [
    ['lima', '?city=Lima&country=Peru'],
    ['Ciudad de los Reyes', '?city=Lima&country=Peru'],
    ['Oslo, Norway', '?city=Oslo&country=Norway'],
    ['33.87°, -151.2°', '?lat=33.87&lon=-151.2'],
    ['−33.9;+151.', '?lat=-33.9&lon=%2B151.'],
    // The list of places does not have it: the service asks its geocoder.
    ['Oslo, Region, Norge', '?city=Oslo%2C+Region&country=Norge'],
  ] as const) {
    await page.searchFor(text);
    assert.deepEqual([page.window.location.search, page.text('#status')], [search, ''], text);
  }
  await page.searchFor('Pots');
  assert.equal(page.text('[role=alert]'), 'Which city do you mean by “Pots”?');
  assert.deepEqual(page.texts('.message a'), [
    'Potsdam, Germany',
    'Potsdam, New York, United States',
  ]);
  await page.click(page.all('.message a')[0]!);
  assert.deepEqual([page.text('#card-place'), page.text('[role=alert]')], ['Potsdam', '']);
  // Its first suggestion is the largest town of the region, which has another name.
  page.service.instead.places = (path) =>
    placesOf(path.includes('q=Brandenburg%2C+Germany') ? 'Potsdam, Germany' : 'none');
  await page.searchFor('Brandenburg, Germany');
  assert.match(page.text('[role=alert]'), /^Which city do you mean by “Brandenburg, Germany”/);
  page.service.instead = {};
  await page.searchFor('Limax');
  assert.match(page.text('[role=alert]'), /^No city called “Limax” is known\. Please add/);
  await page.searchFor(' ');
  assert.equal(page.text('[role=alert]'), 'Please type the name of a city.');
  page.service.instead.places = () => unavailable(1);
  await page.searchFor('Lima');
  assert.equal(page.text('[role=alert]'), 'why');
  page.service.instead = {};
  await page.click(page.one('.message button'));
  assert.equal(page.text('#card-place'), 'Lima');
});

it('the code of an airport is an address of its own, to which a message leads', async (t) => {
  const page = await openPage(t);
  for (const text of ['MUC', 'muc']) {
    await page.searchFor(text);
    assert.match(page.text('[role=alert]'), /on the web page in the address \/\?airport=MUC\.$/);
    assert.deepEqual(page.texts('.message a'), ['MUC']);
  }
  await page.click(page.one('.message a'));
  assert.equal(page.window.location.search, '?airport=MUC');
  assert.deepEqual(page.service.callsFor('/airport'), [
    'GET api/v1/conditions/airport?code=MUC&lang=en',
    'GET api/v1/forecast/hourly/airport?code=MUC&lang=en&hours=168',
    'GET api/v1/forecast/airport?code=MUC&lang=en&days=14',
    'GET api/v1/air-quality/airport?code=MUC&lang=en',
  ]);
  assert.equal(page.text('#card-place'), 'Sea Airport');
  assert.equal(page.text('.card .faint'), 'Seattle, Washington, United States');
  assert.equal(page.one('#place').value, 'MUC');
});

it('the address has the search, so that links and the back button work', async (t) => {
  const page = await openPage(t);
  for (const text of ['Oslo, Norway', 'Oslo, Norway', 'Lima, Peru']) await page.searchFor(text);
  assert.equal(page.window.location.search, '?city=Lima&country=Peru');
  await page.back();
  assert.deepEqual([page.text('#card-place'), page.one('#place').value], ['Oslo', 'Oslo, Norway']);
  await page.back();
  assert.deepEqual([page.window.location.search, page.document.title], ['', 'Weather']);
  assert.deepEqual([page.text('.place'), page.all('.examples a').length], ['', 6]);
});

it('the button "Use my location" shows the weather at the rounded position, or why there is none', async (t) => {
  const page = await openPage(t);
  await page.click(page.one('.here'));
  assert.equal(page.text('#status'), 'Waiting for your location …');
  page.positions[0]!.failed({ code: 1 });
  assert.match(page.text('[role=alert]'), /^Location access is blocked\./);
  await page.click(page.one('.here'));
  page.positions[1]!.found({ coords: { latitude: 52.4009, longitude: 13.0591 } });
  await page.pass(0);
  assert.equal(page.window.location.search, '?lat=52.40&lon=13.06');
  assert.equal(page.text('.point'), '52.40°, 13.06°');
  await page.click(page.one('.here'));
  await page.searchFor('Lima');
  page.positions[2]!.failed({ code: 1 });
  assert.deepEqual([page.text('#card-place'), page.text('[role=alert]')], ['Lima', '']);
});

it('the page works in a browser that forbids storage and has no geolocation', async (t) => {
  const page = await openPage(t, '', {
    prepare: (window) => {
      const forbid = {
        get(): never {
          throw new window.DOMException('forbidden', 'SecurityError');
        },
      };
      Object.defineProperty(window, 'localStorage', forbid);
      Reflect.deleteProperty(window.navigator, 'geolocation');
    },
  });
  assert.deepEqual([page.all('.here').length, page.all('#plain').length], [0, 0]);
  await page.searchFor('Lima');
  assert.deepEqual([page.text('#card-place'), page.texts('.recent a')], ['Lima', ['Lima, Peru']]);
});

it('the recent searches are those of the service, and follow the searches of this tab', async (t) => {
  const page = await openPage(t, '?start', { stored: { recent: [LIMA] } });
  // The session has ended.
  assert.deepEqual(page.texts('.recent a'), []);
  await page.searchFor('Lima, Peru');
  await page.searchFor('Oslo, Norway');
  assert.deepEqual(page.texts('.recent a'), ['Oslo, Norway', 'Lima, Peru']);
  await page.click(page.all('.recent a')[1]!);
  assert.equal(page.text('#card-place'), 'Lima');
  page.service.instead['recent-searches'] = () => unavailable(1);
  await page.click(page.one('.recent button'));
  assert.match(page.text('#status'), /cannot be cleared/);
  page.service.instead = {};
  await page.click(page.one('.recent button'));
  assert.deepEqual(
    [page.text('#status'), page.texts('.recent a')],
    ['Recent searches cleared.', []],
  );
  assert.deepEqual(page.window.localStorage['place'], '""');
  // Other tabs learn of each clearing.
  const cleared = page.window.localStorage['cleared'];
  assert.notEqual(cleared, undefined);
  await page.searchFor('Oslo, Norway');
  await page.click(page.one('.recent button'));
  assert.notEqual(page.window.localStorage['cleared'], cleared);
});

/** Another tab of the same browser has changed a value of `localStorage`. */
function changeInOtherTab(
  { window }: OpenedPage,
  values: Record<string, unknown>,
  event = 'storage',
): void {
  for (const [key, value] of Object.entries(values)) {
    window.localStorage[key] = JSON.stringify(value);
  }
  window.dispatchEvent(new window.Event(event));
}

const CLEARED = { cleared: 1, place: '', recent: [] };

it('searches that another tab has cleared stay cleared, whatever this tab is doing', async (t) => {
  const page = await openPage(t);
  const stored = () => [page.window.localStorage['recent'], page.window.localStorage['place']];
  await page.searchFor('Lima');
  // A tab of another release stores more members.
  const oslo = { city: 'Oslo', country: 'Norway', country_code: 'NO', latitude: 59.91 };
  changeInOtherTab(page, { recent: [LIMA, oslo] });
  assert.deepEqual(page.texts('.recent a'), ['Lima, Peru', 'Oslo, Norway']);
  changeInOtherTab(page, CLEARED);
  assert.deepEqual(page.texts('.recent a'), []);

  // What the page fetches anew is no search.
  await page.pass(930_000);
  assert.equal(page.service.callsFor('conditions').length, 2);
  assert.equal(page.service.credentials.at(-4), 'omit');
  assert.deepEqual([page.texts('.recent a'), ...stored()], [[], '[]', '""']);

  // A search was sent before.
  const late = lateReply();
  page.service.instead.conditions = () => late.reply;
  await page.searchFor('Oslo');
  changeInOtherTab(page, { ...CLEARED, cleared: 2 });
  late.send(conditionsOf({ city: 'Oslo', country: 'Norway' }));
  await page.pass(0);
  assert.equal(page.text('#card-place'), 'Oslo');
  assert.deepEqual([page.texts('.recent a'), ...stored()], [[], '[]', '""']);

  page.service.instead = {};
  await page.searchFor('Lima');
  assert.deepEqual(page.texts('.recent a'), ['Lima, Peru']);

  // The browser keeps a page that the user has left, and sends it no event of the storage.
  changeInOtherTab(page, { ...CLEARED, cleared: 3 }, 'pageshow');
  assert.deepEqual(page.texts('.recent a'), []);
});

it('a list of searches that was requested before another tab cleared them is not shown', async (t) => {
  const late = lateReply();
  const page = await openPage(t, '', { instead: { 'recent-searches': () => late.reply } });
  changeInOtherTab(page, CLEARED);
  late.send(searchesOf([LIMA]));
  await page.pass(0);
  assert.deepEqual([page.texts('.recent a'), page.window.localStorage['recent']], [[], '[]']);
});

it('a search that is made while the list of the session loads is the first of the list', async (t) => {
  const late = lateReply();
  const page = await openPage(t, '?start', { instead: { 'recent-searches': () => late.reply } });
  await page.searchFor('Oslo, Norway');
  late.send(searchesOf([LIMA]));
  await page.pass(0);
  assert.deepEqual(page.texts('.recent a'), ['Oslo, Norway', 'Lima, Peru']);
});

it('no key acts on the field while an input method composes a character', async (t) => {
  const page = await openPage(t);
  await page.type('pots');
  const before = fieldOf(page);
  for (const about of [{ isComposing: true }, { keyCode: 229 }]) {
    for (const key of ['Escape', 'ArrowDown', 'ArrowUp', 'Enter', 'Process']) {
      const event = new page.window.Event('keydown', { bubbles: true, cancelable: true });
      page.one('#place').dispatchEvent(Object.assign(event, { isComposing: false, ...about, key }));
      // Enter would send the form.
      const { defaultPrevented } = event as { defaultPrevented?: boolean };
      assert.equal(defaultPrevented, key === 'Enter', key);
      assert.deepEqual([fieldOf(page), page.one('#place').value], [before, 'pots'], key);
    }
  }
});

it('the page uses nothing that the oldest supported browsers do not have', async (t) => {
  const page = await openPage(t, '', {
    prepare: (window) => {
      // Newer than Chrome 100, Firefox 100, or Safari 15.4.
      window.eval(`
        for (const name of ['any', 'timeout']) delete AbortSignal[name];
        for (const name of ['findLast', 'findLastIndex', 'toSorted', 'toReversed', 'toSpliced', 'with'])
          delete Array.prototype[name];
        for (const name of ['isWellFormed', 'toWellFormed']) delete String.prototype[name];
        for (const name of ['union', 'intersection', 'difference', 'isSubsetOf'])
          delete Set.prototype[name];
        delete Array.fromAsync;
        delete Object.groupBy;
        delete Map.groupBy;
        delete Promise.withResolvers;
        delete Promise.try;
        delete URL.canParse;
        delete URL.parse;
        delete Intl.Segmenter;
        delete Intl.DurationFormat;
        delete globalThis.Iterator;
        for (const name of ['getTextInfo', 'textInfo', 'getWeekInfo', 'weekInfo'])
          delete Intl.Locale.prototype[name];
        // The build makes a call of the constructor of each literal that they do not have.
        const AnyRegExp = RegExp;
        RegExp = function (pattern, flags = '') {
          if (/\\(\\?(<[=!]|[ims-]+:)/.test(pattern) || /[dv]/.test(flags)) throw new SyntaxError(pattern);
          return new AnyRegExp(pattern, flags);
        };
        RegExp.prototype = AnyRegExp.prototype;
        const { NumberFormat } = Intl;
        Intl.NumberFormat = function (locale, options = {}) {
          if (options.signDisplay === 'negative' || options.roundingMode) throw new RangeError();
          return new NumberFormat(locale, options);
        };
      `);
    },
  });
  await page.searchFor('Lima');
  assert.deepEqual([page.text('#card-place'), page.all('.days li').length], ['Lima', 2]);
  page.service.instead.conditions = () => lateReply().reply;
  await page.searchFor('Oslo');
  await page.pass(60_000);
  assert.equal(page.text('[role=alert]'), 'The service does not respond.');
});
