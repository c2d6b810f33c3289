import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openPage, type OpenedPage } from '../../support/page.js';
import {
  failure,
  lateReply,
  rejected,
  unavailable,
  unreachable,
  weatherOf,
} from '../../support/page-service.js';

/** The searches of the page at `/`, while responses are late, fail, or are rejections. */

const LIMA = { city: 'Lima', country: 'Peru' };
const UNREACHABLE = 'The service cannot be reached. The page tries again until it can.';
/** A proxy responds instead of the service, so the response is not described. */
const fromProxy = (status: number) => failure(status, '', { 'Content-Security-Policy': '' });

/** The place with its weather, or the message; then the countdown, and the button. */
function shown({ text, isShown }: OpenedPage): string[] {
  const parts = ['card-place', 'message-text', 'countdown', 'again'].filter(isShown);
  return parts.map(text).filter(Boolean);
}

it('a response to an earlier search is never shown, however late it is', async (t) => {
  const page = await openPage(t);
  const [weather, forecast] = [lateReply(), lateReply()];
  page.service.instead.weather = () => weather.reply;
  await page.searchFor('Lima, Peru');
  assert.equal(page.text('status'), 'Loading the weather …');
  page.service.instead = { forecast: () => forecast.reply };
  await page.searchFor('Potsdam, Germany');
  page.service.instead = {};
  await page.searchFor('Oslo, Norway');
  weather.send(weatherOf(LIMA));
  forecast.send(unavailable(1));
  await page.pass(0);
  assert.deepEqual(shown(page), ['Oslo, Norway']);
  assert.deepEqual(['forecast-message', 'status'].map(page.text), ['', '']);
});

it('a search that failed is sent again only after Retry-After, and other places meanwhile', async (t) => {
  const page = await openPage(t);
  const sent = () => page.service.callsFor('weather').length;
  page.service.instead.weather = (path) => (path.includes('Lima') ? unavailable(2) : undefined);
  const text = 'The weather is unavailable at the moment.';
  await page.searchFor('Oslo, Norway');
  await page.searchFor('Lima, Peru');
  assert.deepEqual(shown(page), [text, 'You can try again in 2 seconds.']);
  assert.deepEqual([page.document.title, page.isShown('forecast')], ['Weather', false]);
  assert.equal(page.text('status'), '');
  await page.pass(999);
  await page.pass(1);
  assert.deepEqual(shown(page), [text, 'You can try again in 1 second.']);
  await page.searchFor('Oslo, Norway');
  assert.deepEqual([shown(page), page.text('countdown')], [['Oslo, Norway'], '']);
  // A failure without Retry-After does not end the pause of another place.
  page.service.instead.weather = () => failure(400, 'Geocoding failed');
  await page.searchFor('Oslo, Norway');
  await page.searchFor('Lima, Peru');
  assert.deepEqual([shown(page)[0], sent()], [text, 4]);
  // The second countdown began after three searches of 150 ms, and is updated every 250 ms.
  await page.pass(500);
  await page.pass(250);
  assert.deepEqual(shown(page), [text, 'You can try again now.', 'Try again']);
  page.service.instead = {};
  await page.click(page.element('again'));
  assert.deepEqual([shown(page), sent()], [['Lima, Peru'], 5]);
  assert.equal(page.document.activeElement.id, 'card-place');
  await page.pass(1000);
  assert.equal(page.text('countdown'), '');
});

it('no search is sent while the service rejects searches for every place', async (t) => {
  const page = await openPage(t);
  const limits = { 'X-RateLimit-Limit': '30', 'X-RateLimit-Remaining': '0' };
  page.service.instead.forecast = () => rejected(40, limits);
  await page.searchFor('Oslo, Norway');
  assert.deepEqual(shown(page), ['Oslo, Norway']);
  assert.match(page.text('forecast-message'), /too many searches/);
  assert.match(page.text('limits'), /^0 of 30 requests remain\..*:00\.$/);
  const text = 'Too many searches: the limit is 30.';
  await page.searchFor('Lima, Peru');
  assert.deepEqual(shown(page), [text, 'You can try again in 40 seconds.']);
  await page.pass(40_000);
  page.service.instead = { weather: () => rejected(2, limits) };
  await page.click(page.element('again'));
  assert.deepEqual(shown(page), [text, 'You can try again in 2 seconds.']);
  page.service.instead = { forecast: () => unavailable(9) };
  await page.pass(2000);
  await page.click(page.element('again'));
  assert.equal(page.text('forecast-message'), 'The next days are unavailable at the moment.');
  await page.searchFor('Lima, Peru');
  assert.deepEqual([shown(page), page.service.callsFor('weather').length], [['Lima, Peru'], 4]);
});

it('a search without a response is repeated as soon as the service is available', async (t) => {
  const page = await openPage(t);
  const { service } = page;
  service.instead = { weather: () => fromProxy(504), health: unreachable };
  await page.searchFor('Lima, Peru');
  const checks = () => service.callsFor('health').length;
  for (const [index, seconds] of [1, 2, 4, 8, 16, 16].entries()) {
    assert.deepEqual(shown(page), [UNREACHABLE]);
    await page.pass(seconds * 1000 - 1);
    assert.equal(checks(), index);
    if (index === 5) service.instead = { weather: () => fromProxy(502) };
    await page.pass(1);
    assert.equal(checks(), index + 1);
  }
  // The service was available, but not for the weather, so the next pause is longer.
  assert.deepEqual([shown(page), service.callsFor('weather').length], [[UNREACHABLE], 2]);
  service.instead = { weather: () => lateReply().reply };
  await page.pass(1999);
  assert.equal(checks(), 6);
  await page.pass(1);
  await page.pass(59_999);
  assert.deepEqual([shown(page), service.callsFor('weather').length], [[UNREACHABLE], 3]);
  // After a minute without a response, the request fails.
  await page.pass(1);
  service.instead = {};
  await page.pass(4000);
  assert.deepEqual([shown(page), checks()], [['Lima, Peru'], 8]);
  service.instead = { weather: unreachable };
  await page.searchFor('Lima, Peru');
  service.instead = {};
  await page.searchFor('Oslo, Norway');
  await page.pass(60_000);
  assert.deepEqual([shown(page), checks()], [['Oslo, Norway'], 8]);
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
  assert.deepEqual([shown(page), page.texts('choices')], [['Oslo, Norway'], []]);
  assert.equal(page.document.activeElement.id, 'card-place');

  page.service.instead.weather = (path) =>
    path.includes('Oslo') ? failure(500, 'Internal server error') : undefined;
  await choose();
  assert.match(shown(page).join(), /^The service has failed\. .* request ID abc\.$/);
  assert.equal(page.document.activeElement.id, 'place');

  // The user moves the focus while the weather is loading.
  const late = lateReply();
  page.service.instead.weather = (path) => (path.includes('Oslo') ? late.reply : undefined);
  await choose();
  assert.deepEqual(shown(page), []);
  page.element('here').focus();
  late.send(weatherOf(LIMA));
  await page.pass(0);
  assert.deepEqual([shown(page), page.document.activeElement.id], [['Lima, Peru'], 'here']);
});

it('a typed text is searched for, or has similar names', async (t) => {
  const page = await openPage(t);
  await page.press('{Tab}{Enter}');
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
  assert.deepEqual(shown(page), ['Lima, Peru']);
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
  assert.deepEqual(shown(page), ['Lima, Peru']);

  page.service.instead.places = unreachable;
  await page.searchFor('Oslo');
  await page.pass(1000);
  assert.equal(page.service.callsFor('health').length, 3);
  await page.press('x');
  page.service.instead = {};
  await page.pass(60_000);
  assert.deepEqual(shown(page), []);

  page.service.instead.places = () => rejected(2);
  await page.searchFor('Lima');
  page.service.instead = {};
  await page.press('x');
  await page.pass(2000);
  await page.click(page.element('again'));
  assert.deepEqual(shown(page), ['Lima, Peru']);
});
