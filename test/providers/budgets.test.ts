import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { createBudgets } from '../../src/providers/budgets.js';

const OWN = 'http://127.0.0.1:9';

/** The budgets of an environment: by upstream, the limits of its windows. */
function budgetsOf(env: Record<string, string>): Record<string, string> {
  const budgets = createBudgets(loadConfig(env).upstream);
  return Object.fromEntries(
    [...budgets].map(([upstream, { name, windows }]) => [
      upstream,
      `${name}: ${windows.map(({ limit, windowSeconds }) => `${limit}/${windowSeconds}`).join()}`,
    ]),
  );
}

describe('the budgets of the providers', () => {
  const FREE = 'open-meteo: 600/60,5000/3600,10000/86400';

  it('are those of the public hosts, and the geocoder shares that of the forecast', () => {
    assert.deepEqual(budgetsOf({}), {
      'open-meteo': FREE,
      'open-meteo-geocoding': FREE,
      'met-norway': 'met-norway: 20/1',
      openweathermap: 'openweathermap: 60/60',
    });
  });

  it('do not hold for a host of one’s own, nor for Open-Meteo with a key', () => {
    assert.equal(budgetsOf({ MET_NORWAY_URL: OWN })['met-norway'], undefined);
    assert.equal(budgetsOf({ OPEN_METEO_URL: OWN })['open-meteo'], undefined);
    assert.equal(budgetsOf({ OPEN_METEO_URL: OWN })['open-meteo-geocoding'], FREE);
    assert.equal(budgetsOf({ OPEN_METEO_API_KEY: 'key' })['open-meteo'], undefined);
    assert.equal(budgetsOf({ OPEN_METEO_API_KEY: 'key' })['open-meteo-geocoding'], undefined);
  });

  it('are those of PROVIDER_BUDGETS where it is set, whatever the host is', () => {
    const env = { PROVIDER_BUDGETS: 'open-meteo=5/1;weather-gov=2/10', OPEN_METEO_URL: OWN };
    assert.deepEqual(budgetsOf(env), {
      'open-meteo': 'open-meteo: 5/1',
      'open-meteo-geocoding': 'open-meteo: 5/1',
      'weather-gov': 'weather-gov: 2/10',
    });
    assert.deepEqual(budgetsOf({ PROVIDER_BUDGETS: '' }), {});
  });
});
