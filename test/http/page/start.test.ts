import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openPage } from '../../support/page.js';
import { lateReply, searchesOf, unavailable } from '../../support/page-service.js';

/** The places that the page at `/` offers, and its requests. */

const OSLO = { city: 'Oslo', country: 'Norway' };
const LIMA = { city: 'Lima', country: 'Peru' };
const AT_OSLO = '?city=Oslo&country=Norway';

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
