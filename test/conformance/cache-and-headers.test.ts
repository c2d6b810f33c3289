import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { isDaylight } from '../../src/weather/time/sun.js';
import {
  assertAge,
  assertErrorForm,
  useService,
  weatherAt,
  weatherOf,
} from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { PATHS, stubWeather } from '../support/stub-provider.js';

const fixture = useService({}, 'redis');

beforeEach(() => {
  fixture.stub.reset();
});

it('a MISS, a HIT, and a 304 name the source, the point, the WMO code, and day or night', async () => {
  const target = fixture.url + weatherOf('Lisbon', 'Portugal');
  const [asked, sent] = [Date.now(), performance.now()];
  const first = await ask(target);
  assertAge(first, sent);
  const { key } = fixture.stub.calls.at(-1)!;
  const [latitude, longitude] = key.split(',').map(Number);
  const given = stubWeather(latitude!, longitude!);
  const second = await ask(target);
  const condition = { 'If-None-Match': first.headers.etag ?? '' };
  const third = await ask(target, { headers: condition });
  for (const [answer, status, outcome] of [
    [first, 200, 'MISS'],
    [second, 200, 'HIT'],
    [third, 304, 'HIT'],
  ] as const) {
    const { headers } = answer;
    assert.deepEqual([answer.status, headers['x-cache']], [status, outcome]);
    assert.equal(headers['x-weather-provider'], 'open-meteo');
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.equal(headers['x-weather-code'], String(given.sky.wmo));
    // The sun may rise or set meanwhile.
    const isDay = [asked, Date.now()].map((at) =>
      isDaylight({ latitude: latitude!, longitude: longitude! }, at),
    );
    assert.ok(isDay.includes(headers['x-weather-is-day'] === '1'));
    assert.equal(headers['x-weather-point'], key);
    const attribution = 'Weather data by Open-Meteo.com <https://open-meteo.com/>, CC BY 4.0';
    assert.equal(headers['x-weather-attribution'], attribution);
  }
});

it('the point of the place that was found tells places with the same name apart', async () => {
  const pointOf = async (target: string) => {
    const { status, headers } = await ask(fixture.url + target);
    return [status, headers['x-weather-point']];
  };
  for (const [city, point] of [
    ['Springfield', '37.2153,-93.2982'],
    ['Springfield, Illinois', '39.8017,-89.6437'],
  ] as const) {
    for (const path of ['/api/v1/weather', '/api/weather']) {
      assert.deepEqual(await pointOf(weatherOf(city, 'US', path)), [200, point]);
    }
  }
  // For coordinates, it is the place that the response names, and not the point of the request.
  assert.deepEqual(await pointOf(weatherAt('39.79', '-89.65')), [200, '39.8017,-89.6437']);
  assert.deepEqual(await pointOf(weatherOf('Zeroville', 'Ghana')), [200, '0,0']);
});

it('all spellings of a place share one fetch, and each response has the spelling of its request', async () => {
  const spellings = [
    ['SÃO PAULO', 'brazil'],
    ['São Paulo'.normalize('NFD'), 'Brasil'],
    ['  sao   Paulo ', ' BR'],
    ['São Paulo', '巴西'],
    ['Ｓão・Paulo', 'ブラジル'],
    ['São–Paulo', 'Ｂｒａｚｉｌ'],
  ] as const;
  const records = [];
  for (const [city, country] of spellings) {
    const answer = await ask(fixture.url + weatherOf(city, country));
    assert.equal(answer.status, 200, `${city}, ${country}`);
    const { location, ...weather } = answer.json as { location: object };
    assert.deepEqual(location, {
      city: city.normalize('NFC').trim().replace(/ +/g, ' '),
      country: country.trim(),
      latitude: null,
      longitude: null,
    });
    records.push(weather);
  }
  for (const weather of records) assert.deepEqual(weather, records[0]);
  assert.equal(fixture.stub.calls.length, 1);
});

describe('the ETag', () => {
  const target = weatherOf('Vienna', 'Austria');
  let tag = '';

  before(async () => {
    const first = await ask(fixture.url + target);
    tag = first.headers.etag ?? '';
  });

  it('is weak, and leads to 304 without a body if it matches, for GET and HEAD', async () => {
    assert.match(tag, /^W\/"[\x21\x23-\x7e]+"$/);
    for (const method of ['GET', 'HEAD']) {
      for (const condition of [tag, tag.slice(2), `"x",${tag} , W/"y"`, '*']) {
        const headers = { 'If-None-Match': condition };
        const answer = await ask(fixture.url + target, { method, headers });
        assert.deepEqual([answer.status, answer.text], [304, ''], `${method} ${condition}`);
        assert.equal(answer.headers.etag, tag);
      }
    }
    // `fetch` adds `Cache-Control: no-cache` to a condition.
    const { status } = await fetch(fixture.url + target, { headers: { 'If-None-Match': tag } });
    assert.equal(status, 304);
  });

  it('leads to 200 if it does not match, and always for POST', async () => {
    for (const condition of ['"x"', tag.slice(3, -1), '']) {
      const answer = await ask(fixture.url + target, { headers: { 'If-None-Match': condition } });
      assert.equal(answer.status, 200, condition);
    }
    const posted = await ask(`${fixture.url}/api/weather`, {
      method: 'POST',
      body: { city: 'Vienna', country: 'Austria' },
      headers: { 'If-None-Match': tag },
    });
    assert.deepEqual([posted.status, posted.headers.etag], [200, tag]);
  });
});

it('a name that is unknown everywhere is queried once', async () => {
  for (const city of ['Qwxyzzy', 'QWXYZZY', 'qwxyzzy']) {
    assertErrorForm(await ask(fixture.url + weatherOf(city, 'USA')), 400, 'Geocoding failed');
  }
  const asked = fixture.stub.calls.map(({ query }) => query['language']);
  assert.deepEqual(asked, [...new Set(asked)], 'no language is asked twice');
  assert.ok(asked.length >= 1);
});

it('a name that only the geocoder knows is queried once, then cached', async () => {
  fixture.stub.world.places.push({
    id: 1,
    name: 'Qwxville',
    latitude: 40.123456,
    longitude: -100.5,
    country_code: 'US',
    country: 'United States',
    feature_code: 'PPL',
    population: 10,
  });
  const first = await ask(fixture.url + weatherOf('Ｑｗｘ\u200bville', 'USA'));
  const second = await ask(fixture.url + weatherOf('QWXVILLE', 'America'));
  assert.equal(fixture.stub.calls[0]?.query['name'], 'Qwxville');
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.deepEqual(
    [PATHS.geocoding, PATHS.openMeteo].map((path) => fixture.stub.count(path)),
    [1, 1],
  );
  assert.equal(fixture.stub.count(PATHS.openMeteo, '40.1235,-100.5'), 1);
});
