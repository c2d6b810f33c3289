import assert from 'node:assert/strict';
import { it } from 'node:test';
import { conditionIn } from '../../src/weather/conditions/condition-texts.js';
import { useService } from '../support/conformance.js';
import { ask } from '../support/http-client.js';

const fixture = useService({ RATE_LIMIT_PER_IP: '1000' });

interface Step {
  condition: string;
  weather_code: number | null;
}

for (const [path, more] of [
  ['conditions', {}],
  ['forecast', { days: '3' }],
  ['forecast/hourly', { hours: '6' }],
] as const) {
  it(`the texts of ${path} are in the requested language, from one fetch`, async () => {
    const calls = fixture.stub.calls.length;
    for (const [lang, language] of [
      ['', 'en'],
      ['de-AT', 'de'],
      ['ja', 'ja'],
      ['tlh', 'en'],
    ] as const) {
      const query = { city: 'Graz', country: 'Austria', lang, ...more };
      const search = new URLSearchParams(query).toString();
      const answer = await ask(`${fixture.url}/api/v1/${path}?${search}`);
      assert.equal(answer.headers['content-language'], language);
      const { days, hours, ...now } = answer.json as Step & { days?: Step[]; hours?: Step[] };
      for (const { condition, weather_code } of days ?? hours ?? [now]) {
        assert.equal(condition, conditionIn(language, weather_code));
      }
    }
    assert.equal(fixture.stub.calls.length, calls + 1);
  });
}

it('the texts of current weather by the contract are English', async () => {
  const target = '/api/v1/weather?city=Graz&country=Austria&lang=de';
  const { headers, json } = await ask(fixture.url + target);
  assert.equal(headers['content-language'], undefined);
  const code = Number(headers['x-weather-code']);
  assert.equal((json as Step).condition, conditionIn('en', code));
});
