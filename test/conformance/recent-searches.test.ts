import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { assertErrorForm, useService, weatherAt, weatherOf } from '../support/conformance.js';
import { cookieOf } from '../support/cookies.js';
import { forecastOf } from '../support/forecasts.js';
import { ask } from '../support/http-client.js';

const PATH = '/api/v1/recent-searches';

const fixture = useService({}, 'redis');
let cookie = '';

const get = async (target: string) => ask(fixture.url + target, { headers: { Cookie: cookie } });
const search = async (city: string, country = 'USA') => {
  const answer = await get(weatherOf(city, country));
  assert.equal(answer.status, 200);
};
const list = async () => {
  const { status, json } = await get(PATH);
  assert.equal(status, 200);
  return (json as { recent_searches: { city: string; country: string }[] }).recent_searches;
};
const clear = () => ask(fixture.url + PATH, { method: 'DELETE', headers: { Cookie: cookie } });

beforeEach(async () => {
  fixture.stub.reset();
  cookie = cookieOf(await ask(`${fixture.url}/api/v1/weather`));
});

it('the recent searches are empty without a session and in a new one', async () => {
  const { status, json, headers } = await ask(fixture.url + PATH);
  assert.deepEqual([status, json], [200, { recent_searches: [] }]);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(headers['cache-control'], 'private, no-store');
  assert.deepEqual(await list(), []);
});

it('the recent searches of all endpoints have the newest first, each place once in its newest spelling', async () => {
  await search('  new   york ', ' usa');
  await ask(`${fixture.url}/api/weather`, {
    method: 'POST',
    body: { city: 'Zürich'.normalize('NFD'), country: 'Schweiz' },
    headers: { Cookie: cookie },
  });
  await get(weatherOf('Paris', 'France', '/api/weather'));
  await get(weatherOf('Oslo', 'Norway', '/api/v1/conditions'));
  await search('ZURICH', 'CH');
  await search('Halle (Saale)', 'Germany');
  await search('\u200fＨａｌｌｅ\u00a0 an der Saale', 'Deutsch\u00adland');
  assert.deepEqual(await list(), [
    { city: 'Ｈａｌｌｅ an der Saale', country: 'Deutschland' },
    { city: 'ZURICH', country: 'CH' },
    { city: 'Oslo', country: 'Norway' },
    { city: 'Paris', country: 'France' },
    { city: 'new york', country: 'usa' },
  ]);
});

it('failed searches, lookups by coordinates, and forecasts are not in the recent searches', async () => {
  await search('Boston');
  for (const target of [
    weatherOf('Qwxyzzy', 'USA'),
    forecastOf('Denver', 'USA'),
    weatherAt('47.6', '-122.3'),
    weatherAt('47.6', '-122.3').replace('weather', 'conditions'),
  ]) {
    await get(target);
  }
  fixture.stub.behaveAll({ kind: 'status', status: 500 });
  assertErrorForm(await get(weatherOf('Tromsø', 'Norway')), 503, 'Service unavailable');
  assert.deepEqual(await list(), [{ city: 'Boston', country: 'USA' }]);
});

it('the recent searches can be cleared, and the session continues', async () => {
  await search('Boston');
  const { status, json } = await clear();
  assert.deepEqual([status, json], [200, { message: 'Recent searches cleared' }]);
  assert.deepEqual(await list(), []);
  assert.equal((await ask(fixture.url + PATH, { method: 'DELETE' })).status, 200, 'no session');
  await search('Denver');
  assert.deepEqual(await list(), [{ city: 'Denver', country: 'USA' }]);
});
