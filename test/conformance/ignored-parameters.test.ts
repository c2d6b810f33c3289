import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService, weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';

const HEADER = 'x-weather-ignored-parameters';
const fixture = useService({ WEATHER_PROVIDERS: 'demo', RATE_LIMIT_PER_IP: '0' });

/** Targets, and the value of the header for each. */
const TARGETS: [target: string, ignored: string | undefined][] = [
  [weatherOf('Rome', 'Italy'), undefined],
  [`${weatherOf('Rome', 'Italy')}&units=imperial`, 'units'],
  [`${weatherOf('Rome', 'Italy', '/api/v1/conditions')}&appid=1&units=us`, 'appid, units'],
  [`${weatherOf('Rome', 'Italy', '/api/v1/forecast')}&days=2`, undefined],
  [`${weatherOf('Rome', 'Italy', '/api/v1/forecast')}&hours=2`, 'hours'],
  ['/api/v1/forecast/hourly/coordinates?lat=41.9&lon=12.5&city=Rome&Lat=1', 'city, Lat'],
  ['/api/v1/weather/coordinates?latitude=1&lat=41.9&lon=12.5', 'latitude'],
  ['/api/v1/places?q=rom&count=3&language=it', 'count, language'],
  ['/api/v1/places?q=rom&limit=2&country=Italy', undefined],
  ['/api/v1/recent-searches?limit=3', 'limit'],
  // Nothing of a name is special in a header.
  ['/api/v1/places?q=rom&a%0D%0Ab%3A%20c=1&%2C=2&%C3%A9=3', 'a%0D%0Ab%3A+c, %2C, %C3%A9'],
  [`/api/v1/places?q=rom&${'n'.repeat(300)}=1&x=2`, 'x'],
];

describe('a response names the parameters that its endpoint does not have', () => {
  for (const [target, ignored] of TARGETS) {
    it(`${target.slice(0, 90)}: ${ignored ?? 'none'}`, async () => {
      const answers = [];
      // The second one is a hit.
      for (let n = 0; n < 3; n += 1) answers.push(await ask(fixture.url + target));
      for (const { status, headers } of answers) {
        assert.deepEqual([status, headers[HEADER]], [200, ignored]);
      }
      assert.equal(answers[1]!.text, answers[2]!.text);
    });
  }

  it('the parameters and the members of the body of a POST', async () => {
    for (const [query, more, ignored] of [
      ['', {}, undefined],
      ['', { units: 'imperial', '\ud800': 1 }, 'units, %EF%BF%BD'],
      // The body names the place, so the query has no known parameter.
      ['?units=us&city=Oslo', {}, 'units, city'],
      ['?appid=1', { days: 2 }, 'appid, days'],
    ] as const) {
      const { status, headers } = await ask(`${fixture.url}/api/v1/weather${query}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ city: 'Rome', country: 'Italy', ...more }),
      });
      assert.deepEqual([status, headers[HEADER]], [200, ignored]);
    }
  });

  it('an error about a missing parameter or field in its message', async () => {
    const post = (body: object) =>
      ask(`${fixture.url}/api/weather?units=us`, { method: 'POST', body });
    const get = (target: string) => ask(fixture.url + target);
    for (const [answer, message] of [
      [get('/api/v1/places?units=us'), "The parameter 'q' is required. Without effect: units"],
      [
        get('/api/v1/conditions/coordinates?latitude=1&longitude=2'),
        "Both 'lat' and 'lon' parameters are required. Without effect: latitude, longitude",
      ],
      [
        get('/api/weather?town=Rome&country=Italy'),
        "Both 'city' and 'country' parameters are required. Without effect: town",
      ],
      [
        post({ City: 'Rome', country: 'Italy' }),
        "Both 'city' and 'country' fields are required. Without effect: units, City",
      ],
      [
        get('/api/v1/weather?city[]=Seattle&country[]=USA'),
        "Both 'city' and 'country' parameters are required. Without effect: city%5B%5D, country%5B%5D",
      ],
      [
        post(JSON.parse('{"__proto__":{"city":"Seattle","country":"USA"}}') as object),
        "Both 'city' and 'country' fields are required. Without effect: units, __proto__",
      ],
      [get('/api/v1/forecast?city=Rome'), "Both 'city' and 'country' parameters are required"],
    ] as const) {
      const { status, headers, json } = await answer;
      assert.deepEqual([status, headers[HEADER]], [400, undefined]);
      assert.equal((json as { message: string }).message, message);
    }
    const invalid = await get('/api/v1/places?q=1&units=us');
    assert.doesNotMatch(invalid.text, /units/);
  });
});
