import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import {
  GEOCODER_NAME,
  upstreamFor,
  UPSTREAMS,
  type UpstreamName,
} from '../../src/config/providers.js';
import { createBudgets } from '../../src/providers/index.js';

const OWN = 'http://127.0.0.1:9';

/** The limits of the budget windows for an environment, by upstream service. */
function budgetsOf(env: Record<string, string>): Record<string, string> {
  const budgets = createBudgets(loadConfig(env));
  return Object.fromEntries(
    [...budgets].map(([upstream, { name, windows }]) => [
      upstream,
      `${name}: ${windows.map(({ limit, windowSeconds }) => `${limit}/${windowSeconds}`).join()}`,
    ]),
  );
}

describe('the budgets of the providers', () => {
  /** The budget of an account, for each of its services. */
  const budgetOf = (account: string, isCalled: (name: string) => boolean, budget?: string) =>
    Object.fromEntries(
      UPSTREAMS.filter(([name, row]) => row.account === account && isCalled(name)).map(
        ([name, row]) => [name, `${account}: ${budget ?? row.budget ?? ''}`],
      ),
    );
  const all = () => true;
  const isGeocoder = (name: string) => name === GEOCODER_NAME;
  const FREE = budgetOf('open-meteo', isGeocoder)[GEOCODER_NAME];

  it('are those of the configured providers, and that of the geocoder if it is used', () => {
    const met = budgetOf('met-norway', all);
    assert.deepEqual(budgetsOf({}), { ...budgetOf('open-meteo', all), ...met });
    const map = { WEATHER_PROVIDERS: 'openweathermap', OPENWEATHERMAP_API_KEY: 'key' };
    assert.deepEqual(budgetsOf(map), budgetOf('openweathermap', all));
    assert.deepEqual(budgetsOf({ WEATHER_PROVIDERS: 'met-norway' }), met);
    const own = {
      WEATHER_PROVIDERS: 'demo',
      OPEN_METEO_GEOCODING_URL: OWN,
      PROVIDER_BUDGETS: 'met-norway=1/1;open-meteo=5/1',
    };
    assert.deepEqual(budgetsOf(own), budgetOf('open-meteo', isGeocoder, '5/1'));
  });

  it('do not apply to another host, nor to Open-Meteo with an API key', () => {
    assert.equal(budgetsOf({ MET_NORWAY_URL: OWN })['met-norway'], undefined);
    assert.equal(budgetsOf({ OPEN_METEO_URL: OWN })['open-meteo'], undefined);
    assert.equal(budgetsOf({ OPEN_METEO_URL: OWN })['open-meteo-geocoding'], FREE);
    assert.equal(budgetsOf({ OPEN_METEO_API_KEY: 'key' })['open-meteo'], undefined);
    assert.equal(budgetsOf({ OPEN_METEO_API_KEY: 'key' })['open-meteo-geocoding'], undefined);
  });

  it('are those of PROVIDER_BUDGETS if it is set, for every host', () => {
    const env = {
      WEATHER_PROVIDERS: 'open-meteo,weather-gov',
      PROVIDER_BUDGETS: 'open-meteo=5/1;weather-gov=2/10',
      OPEN_METEO_URL: OWN,
    };
    assert.deepEqual(budgetsOf(env), {
      ...budgetOf('open-meteo', all, '5/1'),
      'weather-gov': 'weather-gov: 2/10',
    });
    assert.deepEqual(budgetsOf({ PROVIDER_BUDGETS: '' }), {});
  });

  it('include those of the second hosts of a provider, by the row of each host', () => {
    const name = 'met-norway-sea' as UpstreamName;
    const row = { title: 'sea', host: 'https://api.met.no', account: 'met-norway', budget: '5/1' };
    const upstreams = [...UPSTREAMS, [name, { ...row, abilities: ['hourly'] }]] as typeof UPSTREAMS;
    const budgetsWith = (env: Record<string, string>) => {
      const config = loadConfig(env);
      Object.assign(config.urls, { [name]: row.host });
      return createBudgets(config, upstreams).get(name);
    };
    const windows = [{ limit: 5, windowSeconds: 1 }];
    assert.deepEqual(budgetsWith({}), { name: 'met-norway', windows });
    assert.equal(budgetsWith({ WEATHER_PROVIDERS: 'open-meteo' }), undefined);
    const own = budgetsWith({ PROVIDER_BUDGETS: 'met-norway=2/1' });
    assert.deepEqual(own?.windows, [{ limit: 2, windowSeconds: 1 }]);
    assert.deepEqual(
      [
        upstreamFor('met-norway', 'hourly', upstreams),
        upstreamFor('met-norway', 'daily', upstreams),
      ],
      [name, 'met-norway'],
    );
  });
});
