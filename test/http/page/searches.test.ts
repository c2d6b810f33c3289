import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openPage, type OpenedPage } from '../../support/page.js';
import {
  conditionsOf,
  failure,
  lateReply,
  rejected,
  unavailable,
  unreachable,
} from '../../support/page-service.js';

/** The searches of the page at `/`, while responses are late, fail, or are rejections. */

const LIMA = { city: 'Lima', country: 'Peru' };
const UNREACHABLE = 'The service cannot be reached; the page tries again until it can.';
/** A proxy responds instead of the service, so the response is not described. */
const fromProxy = (status: number) => failure(status, '', { 'Content-Security-Policy': '' });

/** The place with its weather, or the message; then the countdown, and the button. */
function shown({ text, isShown }: OpenedPage): string[] {
  const parts = ['card-place', 'message-text', 'countdown', 'again'].filter(isShown);
  return parts.map(text).filter(Boolean);
}

it('a response to an earlier search is never shown, however late it is', async (t) => {
  const page = await openPage(t);
  const [conditions, days] = [lateReply(), lateReply()];
  page.service.instead.conditions = () => conditions.reply;
  await page.searchFor('Lima, Peru');
  assert.equal(page.text('status'), 'Loading the weather of Lima, Peru …');
  page.service.instead = { days: () => days.reply };
  await page.searchFor('Potsdam, Germany');
  page.service.instead = {};
  await page.searchFor('Oslo, Norway');
  conditions.send(conditionsOf(LIMA));
  days.send(unavailable(1));
  await page.pass(0);
  assert.deepEqual(shown(page), ['Oslo']);
  assert.deepEqual(['days-message', 'status'].map(page.text), ['', '']);
});

const isDimmed = ({ element }: OpenedPage) => element('result').classList.contains('dimmed');

it('the last place stays visible, but dimmed, while another one is loading, and during an outage', async (t) => {
  const page = await openPage(t, '?city=Oslo&country=Norway');
  const late = lateReply();
  page.service.instead.conditions = () => late.reply;
  await page.searchFor('Lima, Peru');
  const busy = () => page.element('result').getAttribute('aria-busy');
  assert.deepEqual([shown(page), isDimmed(page), busy()], [['Oslo'], true, 'true']);
  assert.equal(page.text('temperature'), '−4.2 °C');
  late.send(conditionsOf(LIMA));
  await page.pass(0);
  assert.deepEqual([shown(page), isDimmed(page), busy()], [['Lima'], false, 'false']);

  page.service.instead = { conditions: unreachable };
  await page.searchFor('Potsdam, Germany');
  assert.deepEqual([shown(page), isDimmed(page)], [['Lima', UNREACHABLE], true]);
  Object.defineProperty(page.window.navigator, 'onLine', { value: false });
  await page.searchFor('Oslo, Norway');
  const offline = 'You are offline; the page tries again until you are online.';
  assert.deepEqual([shown(page), isDimmed(page)], [['Lima', offline], true]);
  page.service.instead = {};
  await page.pass(1000);
  assert.deepEqual([shown(page), isDimmed(page)], [['Oslo'], false]);
  // An error response is about the other place.
  await page.searchFor('Olso, Norway');
  assert.deepEqual([page.isShown('result'), page.document.title], [false, 'Weather']);
});

it('the first place has its name while it is loading, and nothing else', async (t) => {
  const late = lateReply();
  const page = await openPage(t, '?lat=1&lon=2', { instead: { conditions: () => late.reply } });
  assert.deepEqual([shown(page), isDimmed(page)], [['1, 2'], false]);
  const texts = ['temperature', 'facts', 'source'].map(page.text);
  assert.deepEqual([texts, page.isShown('hours')], [['', '', ''], false]);
});

it('after Enter, the field has no focus, so that a phone closes its keyboard', async (t) => {
  for (const isTouch of [true, false]) {
    t.mock.timers.reset();
    const page = await openPage(t, '', { isTouch });
    const late = lateReply();
    page.service.instead.conditions = () => late.reply;
    await page.searchFor('Lima, Peru');
    assert.equal(page.document.activeElement.id, '');
    late.send(failure(400, 'Geocoding failed'));
    await page.pass(0);
    // The keyboard of a phone would cover the message.
    assert.equal(page.document.activeElement.id, isTouch ? '' : 'place');
  }
});

it('typed coordinates are searched for as a point, without suggestions', async (t) => {
  const page = await openPage(t);
  await page.searchFor('33.87° S, 151.2° E');
  assert.deepEqual([shown(page), page.service.callsFor('places')], [['Potsdam'], []]);
  assert.equal(page.window.location.search, '?lat=-33.87&lon=151.2');
  assert.equal(page.element('place').value, '-33.87, 151.2');
});

it('a search that failed is sent again only after Retry-After, and other places meanwhile', async (t) => {
  const page = await openPage(t);
  const sent = () => page.service.callsFor('conditions').length;
  page.service.instead.conditions = (path) => (path.includes('Lima') ? unavailable(2) : undefined);
  const text = 'The weather is unavailable at the moment.';
  await page.searchFor('Oslo, Norway');
  await page.searchFor('Lima, Peru');
  assert.deepEqual(shown(page), [text, 'You can try again in 2 seconds.']);
  assert.deepEqual([page.document.title, page.isShown('days')], ['Weather', false]);
  assert.equal(page.text('status'), '');
  await page.pass(999);
  await page.pass(1);
  assert.deepEqual(shown(page), [text, 'You can try again in 1 second.']);
  await page.searchFor('Oslo, Norway');
  assert.deepEqual([shown(page), page.text('countdown')], [['Oslo'], '']);
  // A failure without Retry-After does not end the pause of another place.
  page.service.instead.conditions = () => failure(400, 'Geocoding failed');
  await page.searchFor('Oslo, Norway');
  await page.searchFor('Lima, Peru');
  assert.deepEqual([shown(page)[0], sent()], [text, 4]);
  // The second countdown began after three searches of 150 ms, and is updated every 250 ms.
  await page.pass(500);
  await page.pass(250);
  assert.deepEqual(shown(page), [text, 'You can try again now.', 'Try again']);
  page.service.instead = {};
  await page.click(page.element('again'));
  assert.deepEqual([shown(page), sent()], [['Lima'], 5]);
  assert.equal(page.document.activeElement.id, 'card-place');
  await page.pass(1000);
  assert.equal(page.text('countdown'), '');
});

it('no search is sent while the service rejects searches for every place', async (t) => {
  const page = await openPage(t);
  const limits = { 'X-RateLimit-Limit': '30', 'X-RateLimit-Remaining': '0' };
  page.service.instead.hours = () => rejected(40, limits);
  await page.searchFor('Oslo, Norway');
  assert.deepEqual(shown(page), ['Oslo']);
  assert.match(page.text('hours-message'), /too many searches/);
  const text = 'Too many searches.';
  await page.searchFor('Lima, Peru');
  assert.deepEqual(shown(page), [text, 'You can try again in 40 seconds.']);
  await page.pass(40_000);
  page.service.instead = { conditions: () => rejected(2, limits) };
  await page.click(page.element('again'));
  assert.deepEqual(shown(page), [text, 'You can try again in 2 seconds.']);
  page.service.instead = { days: () => unavailable(9) };
  await page.pass(2000);
  await page.click(page.element('again'));
  assert.equal(page.text('days-message'), 'Unavailable at the moment.');
  await page.searchFor('Lima, Peru');
  assert.deepEqual([shown(page), page.service.callsFor('conditions').length], [['Lima'], 4]);
});

it('a search without a response is repeated as soon as the service is available', async (t) => {
  const page = await openPage(t);
  const { service } = page;
  service.instead = { conditions: () => fromProxy(504), health: unreachable };
  await page.searchFor('Lima, Peru');
  const checks = () => service.callsFor('health').length;
  for (const [index, seconds] of [1, 2, 4, 8, 16, 16].entries()) {
    assert.deepEqual(shown(page), [UNREACHABLE]);
    await page.pass(seconds * 1000 - 1);
    assert.equal(checks(), index);
    if (index === 5) service.instead = { conditions: () => fromProxy(502) };
    await page.pass(1);
    assert.equal(checks(), index + 1);
  }
  // The service was available, but not for the weather, so the next pause is longer.
  assert.deepEqual([shown(page), service.callsFor('conditions').length], [[UNREACHABLE], 2]);
  service.instead = { conditions: () => lateReply().reply };
  await page.pass(1999);
  assert.equal(checks(), 6);
  await page.pass(1);
  await page.pass(59_999);
  const loading = ['Lima, Peru', UNREACHABLE];
  assert.deepEqual([shown(page), service.callsFor('conditions').length], [loading, 3]);
  // After a minute without a response, the request fails.
  await page.pass(1);
  service.instead = {};
  await page.pass(4000);
  assert.deepEqual([shown(page), checks()], [['Lima'], 8]);
  service.instead = { conditions: unreachable };
  await page.searchFor('Lima, Peru');
  service.instead = {};
  await page.searchFor('Oslo, Norway');
  await page.pass(60_000);
  assert.deepEqual([shown(page), checks()], [['Oslo'], 8]);
});

it('an unknown city has links to similar ones, which move the focus', async (t) => {
  const page = await openPage(t);
  const choose = async () => {
    await page.searchFor('Olso, Norway');
    page.linksIn('choices')[0]!.focus();
    await page.press('{Enter}');
  };
  await page.searchFor('Olso, Norway');
  assert.deepEqual(shown(page), ['No place called “Olso” is known in “Norway”. Did you mean:']);
  assert.deepEqual(page.texts('choices'), ['Oslo, Norway', 'Os, Norway']);
  await choose();
  assert.deepEqual([shown(page), page.texts('choices')], [['Oslo'], []]);
  assert.equal(page.document.activeElement.id, 'card-place');

  page.service.instead.conditions = (path) =>
    path.includes('Oslo') ? failure(500, 'Internal server error') : undefined;
  await choose();
  assert.match(shown(page).join(), /^The service has failed\. .* request ID abc\.$/);
  assert.equal(page.document.activeElement.id, 'place');

  // The user moves the focus while the weather is loading.
  const late = lateReply();
  page.service.instead.conditions = (path) => (path.includes('Oslo') ? late.reply : undefined);
  await choose();
  assert.deepEqual(shown(page), ['Oslo, Norway']);
  page.element('here').focus();
  late.send(conditionsOf(LIMA));
  await page.pass(0);
  assert.deepEqual([shown(page), page.document.activeElement.id], [['Lima'], 'here']);
});

it('a typed text is searched for, or has similar names', async (t) => {
  const page = await openPage(t);
  await page.press('{Tab}{Tab}{Enter}');
  assert.deepEqual(shown(page), ['Please type the name of a city.']);
  const late = lateReply();
  await page.type('lima');
  page.service.instead.places = () => late.reply;
  await page.press('{Enter}');
  assert.equal(page.text('status'), 'Searching for the place …');
  assert.equal(page.isShown('suggestions'), false);
  page.service.instead = {};
  late.send(failure(400, 'Geocoding failed'));
  await page.pass(0);
  assert.deepEqual(shown(page), ['Lima']);
  await page.searchFor('Limax');
  assert.match(shown(page).join(), /^No city called “Limax” is known\..* Did you mean:$/);
  assert.deepEqual(page.texts('choices'), ['Lima, Peru']);
  assert.deepEqual(page.service.callsFor('q=&'), []);
});

it('a typed text is searched for again when the service is available unless it has changed, or by a click', async (t) => {
  const page = await openPage(t);
  await page.type('Lima');
  page.service.instead.places = () => rejected(1);
  await page.press('{Enter}');
  assert.deepEqual(shown(page), ['Too many searches.', 'You can try again in 1 second.']);
  page.service.instead.places = unreachable;
  await page.pass(1000);
  assert.equal(shown(page).at(-1), 'Try again');
  await page.click(page.element('again'));
  await page.pass(1000);
  assert.deepEqual(shown(page), [UNREACHABLE]);
  page.service.instead = {};
  await page.pass(1999);
  assert.deepEqual(shown(page), [UNREACHABLE]);
  await page.pass(1);
  assert.deepEqual(shown(page), ['Lima']);

  page.service.instead.places = unreachable;
  await page.searchFor('Oslo');
  await page.pass(1000);
  assert.equal(page.service.callsFor('health').length, 3);
  await page.press('x');
  page.service.instead = {};
  await page.pass(60_000);
  assert.deepEqual([shown(page), isDimmed(page)], [['Lima'], false]);

  page.service.instead.places = () => rejected(2);
  await page.searchFor('Lima');
  page.service.instead = {};
  await page.press('x');
  await page.pass(2000);
  await page.click(page.element('again'));
  assert.deepEqual(shown(page), ['Lima']);
});
