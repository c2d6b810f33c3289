import assert from 'node:assert/strict';
import { it } from 'node:test';
import { OPENED_AT, openPage, type OpenedPage } from '../../support/page.js';
import { conditionsOf, lateReply, placesOf, unavailable } from '../../support/page-service.js';

/** How the page at `/` reacts to keys, clicks, and its address. */

const OSLO = { city: 'Oslo', country: 'Norway' };
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
