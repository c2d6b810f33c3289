import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openPage, type OpenedPage } from '../../support/page.js';
import {
  failure,
  lateReply,
  placesOf,
  rejected,
  unavailable,
  unreachable,
  weatherOf,
} from '../../support/page-service.js';

/** The searches of the page at `/`, while responses are late, fail, or are rejections. */

const OSLO = '?city=Oslo&country=Norway';
const LIMA = { city: 'Lima', country: 'Peru' };
const UNREACHABLE = 'The service cannot be reached. The page tries again until it can.';
const SEARCHING = 'Searching for the place …';
/** A proxy responds instead of the service, which is not described. */
const FROM_PROXY = { status: 502, body: {}, headers: { 'Content-Security-Policy': '' } };
const LIMITS = { 'X-RateLimit-Limit': '30', 'X-RateLimit-Remaining': '0' };

/** A page that is opened with the weather in Oslo. */
async function openOslo(t: Parameters<typeof openPage>[0]) {
  const page = await openPage(t, { query: OSLO });
  page.service.calls.length = 0;
  return page;
}

const message = ({ text }: OpenedPage) => [text('message-text'), text('countdown')];
/** Which of the weather, the message, and the button "Try again" are shown. */
const shown = ({ isShown }: OpenedPage) => ['card', 'message', 'again'].filter(isShown);

describe('a search for a place', () => {
  it('shows its weather, then its forecast, then the recent searches', async (t) => {
    const page = await openOslo(t);
    const late = lateReply();
    page.service.instead.weather = () => late.reply;
    await page.searchFor('Lima, Peru');
    assert.equal(page.text('status'), 'Loading the weather …');
    assert.deepEqual([page.text('card-place'), page.isShown('card')], ['Oslo, Norway', true]);
    late.send(weatherOf(LIMA));
    await page.pass(0);
    assert.deepEqual([page.text('card-place'), page.text('status')], ['Lima, Peru', '']);
    assert.deepEqual(page.service.calls.slice(1), [
      'GET api/v1/weather?city=Lima&country=Peru',
      'GET api/v1/forecast?city=Lima&country=Peru&days=7',
      'GET api/v1/recent-searches',
    ]);
  });

  it('never shows the response to an earlier search, however late it is', async (t) => {
    const page = await openPage(t);
    page.service.ignoresAborts = true;
    const [weather, forecast] = [lateReply(), lateReply()];
    page.service.instead.weather = () => weather.reply;
    await page.searchFor('Lima, Peru');
    page.service.instead = { forecast: () => forecast.reply };
    await page.searchFor('Potsdam, Germany');
    page.service.instead = {};
    await page.searchFor('Oslo, Norway');
    weather.send(weatherOf(LIMA));
    forecast.send(unavailable(1));
    await page.pass(0);
    assert.equal(page.text('card-place'), 'Oslo, Norway');
    assert.deepEqual([page.text('forecast-message'), page.texts('days').length], ['', 2]);
  });

  it('that failed is sent again only after Retry-After, and other places meanwhile', async (t) => {
    const page = await openOslo(t);
    page.service.instead.weather = (path) => (path.includes('Lima') ? unavailable(2) : undefined);
    const sent = () => page.service.callsFor('weather').length;
    const text = 'The weather is unavailable at the moment.';
    await page.searchFor('Lima, Peru');
    assert.deepEqual(message(page), [text, 'You can try again in 2 seconds.']);
    assert.deepEqual([shown(page), page.isShown('forecast')], [['message'], false]);
    assert.deepEqual([page.document.title, page.text('status')], ['Weather', '']);
    await page.pass(1000);
    assert.deepEqual(message(page), [text, 'You can try again in 1 second.']);
    await page.searchFor('Oslo, Norway');
    assert.deepEqual([shown(page), message(page)], [['card'], ['', '']]);
    await page.searchFor('Lima, Peru');
    assert.deepEqual([shown(page), message(page)[0], sent()], [['message'], text, 2]);
    await page.pass(1000);
    assert.deepEqual(message(page), [text, 'You can try again now.']);
    assert.deepEqual(shown(page), ['message', 'again']);
    page.service.instead = {};
    await page.click(page.element('again'));
    assert.deepEqual([shown(page), page.text('card-place'), sent()], [['card'], 'Lima, Peru', 3]);
    assert.equal(page.document.activeElement.id, 'card-place');
    // The countdown has ended.
    await page.pass(1000);
    assert.deepEqual(message(page), ['', '']);
  });

  it('is not sent while the service rejects searches for every place', async (t) => {
    const page = await openOslo(t);
    page.service.instead.weather = () => rejected(40, LIMITS);
    await page.searchFor('Lima, Peru');
    const text = 'Too many searches: the limit is 30.';
    assert.deepEqual(message(page), [text, 'You can try again in 40 seconds.']);
    assert.match(page.text('limits'), /^0 of 30 requests remain\./);
    page.service.instead = {};
    await page.pass(39_000);
    await page.searchFor('Potsdam, Germany');
    assert.deepEqual(message(page), [text, 'You can try again in 1 second.']);
    assert.equal(page.service.callsFor('weather').length, 1);
    await page.pass(1000);
    await page.click(page.element('again'));
    assert.equal(page.text('card-place'), 'Potsdam, Germany');
  });

  it('without a response is repeated as soon as the service is available', async (t) => {
    const page = await openOslo(t);
    const { service } = page;
    service.instead = { weather: unreachable, health: unreachable };
    await page.searchFor('Lima, Peru');
    assert.deepEqual([shown(page), message(page)], [['message'], [UNREACHABLE, '']]);
    const checks = () => service.callsFor('health').length;
    for (const [index, seconds] of [1, 2, 4, 8, 16, 16].entries()) {
      await page.pass(seconds * 1000 - 1);
      assert.equal(checks(), index);
      if (index === 5) service.instead = { weather: () => FROM_PROXY };
      await page.pass(1);
      assert.equal(checks(), index + 1);
    }
    // The service was available, but not for the weather: it is repeated after a longer pause.
    assert.equal(service.callsFor('weather').length, 2);
    assert.deepEqual(message(page), [UNREACHABLE, '']);
    service.instead = {};
    await page.pass(1999);
    assert.equal(checks(), 6);
    await page.pass(1);
    assert.deepEqual([shown(page), page.text('card-place')], [['card'], 'Lima, Peru']);
  });

  it('is no longer repeated after another search', async (t) => {
    const page = await openOslo(t);
    page.service.instead = { weather: unreachable, health: unreachable };
    await page.searchFor('Lima, Peru');
    await page.pass(1000);
    page.service.instead = {};
    await page.searchFor('Oslo, Norway');
    await page.pass(60_000);
    assert.equal(page.service.callsFor('health').length, 1);
    assert.equal(page.text('card-place'), 'Oslo, Norway');
  });

  it('fails after a minute without a response', async (t) => {
    const page = await openOslo(t);
    page.service.instead.weather = () => lateReply().reply;
    await page.searchFor('Lima, Peru');
    await page.pass(59_999);
    assert.deepEqual(message(page), ['', '']);
    await page.pass(1);
    assert.deepEqual(message(page), [UNREACHABLE, '']);
  });

  it('that is answered by a bug is not repeated', async (t) => {
    const page = await openOslo(t);
    page.service.instead.weather = () => failure(500, 'Internal server error');
    await page.searchFor('Lima, Peru');
    const text = 'The service has failed. To report it, give the request ID abc.';
    assert.deepEqual([shown(page), message(page)], [['message'], [text, '']]);
    await page.pass(60_000);
    assert.equal(page.service.calls.length, 2);
  });

  it('keeps the weather if the forecast fails, and waits after a 429 of the forecast', async (t) => {
    const page = await openOslo(t);
    page.service.instead.forecast = () => rejected(40, LIMITS);
    await page.searchFor('Lima, Peru');
    assert.deepEqual(shown(page), ['card']);
    assert.match(page.text('forecast-message'), /too many searches/);
    assert.match(page.text('limits'), /^0 of 30 requests remain\./);
    await page.searchFor('Oslo, Norway');
    assert.equal(message(page)[1], 'You can try again in 40 seconds.');
    assert.equal(page.service.callsFor('weather').length, 1);
    await page.pass(40_000);
    page.service.instead.forecast = () => unavailable(40);
    await page.searchFor('Lima, Peru');
    await page.searchFor('Lima, Peru');
    assert.equal(page.service.callsFor('weather').length, 3);
  });
});

describe('an unknown city', () => {
  it('has links to similar ones, from which the focus moves to the weather or to the field', async (t) => {
    const page = await openOslo(t);
    await page.searchFor('Olso, Norway');
    const unknown = 'No place called “Olso” is known in “Norway”. Did you mean:';
    assert.deepEqual([shown(page), message(page)], [['message'], [unknown, '']]);
    assert.deepEqual(page.texts('choices'), ['Oslo, Norway', 'Os, Norway']);
    const choose = async () => {
      page.linksIn('choices')[0]!.focus();
      await page.press('{Enter}');
    };
    await choose();
    assert.deepEqual([shown(page), page.document.activeElement.id], [['card'], 'card-place']);
    assert.deepEqual([page.window.location.search, page.texts('choices')], [OSLO, []]);

    await page.searchFor('Olso, Norway');
    page.service.instead.weather = () => failure(500, 'Internal server error');
    await choose();
    assert.match(message(page)[0]!, /^The service has failed\./);
    assert.deepEqual([page.document.activeElement.id, page.texts('choices')], ['place', []]);
  });

  it('leaves the focus where the user has moved it meanwhile', async (t) => {
    const page = await openOslo(t);
    await page.searchFor('Olso, Norway');
    const late = lateReply();
    page.service.instead.weather = () => late.reply;
    await page.click(page.linksIn('choices')[0]!);
    page.element('here').focus();
    late.send(weatherOf(LIMA));
    await page.pass(0);
    assert.deepEqual(
      [page.text('card-place'), page.document.activeElement.id],
      ['Lima, Peru', 'here'],
    );
    page.service.instead = {};
    await page.searchFor('Oslo, Norway');
    assert.equal(page.document.activeElement.id, 'place');
  });

  it('has no links if there is no similar one, or after another search', async (t) => {
    const page = await openOslo(t);
    await page.searchFor('Xyz, Norway');
    const unknown = 'No place called “Xyz” is known in “Norway”.';
    assert.deepEqual([message(page)[0], page.texts('choices')], [unknown, []]);
    const late = lateReply();
    page.service.instead.places = () => late.reply;
    await page.searchFor('Limax, Norway');
    await page.searchFor('Oslo, Norway');
    page.service.instead = {};
    page.service.ignoresAborts = true;
    late.send(placesOf('Lima'));
    await page.pass(0);
    assert.deepEqual([shown(page), page.texts('choices')], [['card'], []]);
  });
});

describe('a search for a typed text', () => {
  it('finds the city, or offers others, or asks for a text', async (t) => {
    const page = await openPage(t);
    await page.press('{Tab}{Enter}');
    assert.deepEqual(
      [shown(page), message(page)[0]],
      [['message'], 'Please type the name of a city.'],
    );
    const late = lateReply();
    await page.type('lima');
    page.service.instead.places = (path) => (path.includes('country') ? late.reply : undefined);
    await page.press('{Enter}');
    assert.deepEqual([page.text('status'), page.isShown('suggestions')], [SEARCHING, false]);
    late.send(failure(400, 'Geocoding failed'));
    await page.pass(0);
    assert.deepEqual([shown(page), page.text('card-place')], [['card'], 'Lima, Peru']);
    page.service.instead = {};
    await page.searchFor('Limax');
    assert.equal(
      message(page)[0],
      'No city called “Limax” is known. Please add the country: “City, Country”. Did you mean:',
    );
    assert.deepEqual([shown(page), page.texts('choices')], [['message'], ['Lima, Peru']]);
  });

  it('is repeated when the service is available, unless the text has changed', async (t) => {
    const page = await openPage(t);
    page.service.instead.places = unreachable;
    await page.searchFor('Lima');
    assert.deepEqual(message(page), [UNREACHABLE, '']);
    await page.pass(1000);
    assert.deepEqual(message(page), [UNREACHABLE, '']);
    page.service.instead = {};
    await page.pass(1999);
    assert.equal(page.isShown('card'), false);
    await page.pass(1);
    assert.deepEqual([shown(page), page.text('card-place')], [['card'], 'Lima, Peru']);

    page.service.instead.places = unreachable;
    await page.searchFor('Oslo');
    await page.press('x');
    page.service.instead = {};
    await page.pass(60_000);
    assert.deepEqual([shown(page), message(page)], [['message'], [UNREACHABLE, '']]);
  });

  it('is not repeated by itself after a rejection, and not shown after another search', async (t) => {
    const page = await openPage(t);
    await page.type('Lima');
    page.service.instead.places = () => rejected(2);
    await page.press('{Enter}');
    assert.deepEqual(message(page), ['Too many searches.', 'You can try again in 2 seconds.']);
    page.service.instead = {};
    await page.pass(2000);
    assert.deepEqual(shown(page), ['message', 'again']);
    await page.click(page.element('again'));
    assert.equal(page.text('card-place'), 'Lima, Peru');

    const late = lateReply();
    await page.type('Pots');
    page.service.ignoresAborts = true;
    page.service.instead.places = () => late.reply;
    await page.press('{Enter}');
    await page.back();
    late.send(placesOf('Potsdam', 'Germany'));
    await page.pass(0);
    assert.deepEqual([shown(page), page.window.location.search, page.text('status')], [[], '', '']);
  });
});
