import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { GEOCODER_NAME } from '../../src/config/providers.js';
import { checkProviders, PLACES, type Finding } from '../../tools/providers/check.js';
import { allProvidersAt } from '../support/providers.js';
import { PATHS } from '../support/stub-provider.js';
import { TEST_TIME } from '../support/test-time.js';
import { useStubProvider } from '../support/use-stub-provider.js';

const fixture = useStubProvider();

/** Checks the stub provider. Returns the findings that are not good, each as one line. */
async function check(now = TEST_TIME, env = {}): Promise<{ wrong: string[]; good: Finding[] }> {
  const { stub } = fixture;
  stub.world.places = PLACES.map(({ city: name, countryCode, ...point }, id) => ({
    ...{ ...point, id, name, country_code: countryCode, country: countryCode },
    ...{ feature_code: 'PPLC', population: 1_000_000 },
  }));
  const config = loadConfig({ ...allProvidersAt(stub.url), ...env });
  const found = await checkProviders(config, () => now);
  const wrong = found
    .filter(({ status }) => status === 'wrong')
    .map(({ provider, place, what, detail }) => `${provider} ${place} ${what}: ${detail}`);
  return {
    wrong,
    good: found.filter(({ status }) => status === 'ok'),
  };
}

it('replies that are as the providers document them have no fault', async () => {
  const { wrong, good } = await check();
  assert.deepEqual(wrong, []);
  assert.ok(good.length > 100, String(good.length));
});

it('the invented weather of demo is not checked', async () => {
  const { wrong } = await check(TEST_TIME, { WEATHER_PROVIDERS: 'open-meteo,demo' });
  assert.deepEqual(wrong, []);
});

it('a provider that does not respond is a fault in each of its replies', async () => {
  fixture.stub.behave(PATHS.metNorway, { kind: 'status', status: 500 });
  const { wrong } = await check();
  assert.ok(wrong.length >= PLACES.length, wrong.join('\n'));
  for (const line of wrong) assert.match(line, /^met-norway /);
});

it('data that is old is as expected of no provider', async () => {
  const { wrong, good } = await check(TEST_TIME + 30 * 86_400_000);
  assert.ok(wrong.length > 0);
  const replies = good.filter(({ detail }) => detail === 'is as expected');
  assert.deepEqual(new Set(replies.map(({ provider }) => provider)), new Set([GEOCODER_NAME]));
});
