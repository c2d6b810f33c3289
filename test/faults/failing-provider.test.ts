import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertWithin } from '../support/assert-within.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { placePath } from '../support/places.js';
import { freePort } from '../support/redis-server.js';
import { startProcesses } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';

describe('a provider that fails', () => {
  it('is called again after 5 s, whatever Retry-After its 503 has, until its budget is used up', async (t) => {
    const port = String(await freePort());
    const env = { WEATHER_PROVIDERS: 'open-meteo', PROVIDER_BUDGETS: 'open-meteo=4/60' };
    const { replicas, upstream } = await startProcesses(t, {
      replicas: 1,
      workers: 0,
      env: { ...env, METRICS_PORT: port },
    });
    const replica = replicas[0]!;
    const fetch = async (n: number) => (await ask(replica.url + placePath(n))).status;
    const gauge = async (name: string) => {
      const { text } = await ask(`http://127.0.0.1:${port}/metrics`);
      return new RegExp(`^weather_${name}\\{provider="open-meteo"\\} (.*)$`, 'm').exec(text)?.[1];
    };
    const headers = { 'retry-after': '3600' };
    upstream.behave(PATHS.openMeteo, { kind: 'status', status: 503, headers });
    for (const n of [1, 2]) assert.equal(await fetch(n), 503);
    assert.equal(await gauge('breaker_open'), '0');
    assert.equal(await fetch(3), 503);
    assert.equal(await gauge('breaker_open'), '1');
    assert.equal(await fetch(4), 503);
    assert.equal(upstream.count(PATHS.openMeteo), 3);

    upstream.behave(PATHS.openMeteo);
    await eventually(async () => (await gauge('breaker_open')) === '0', 'a call is allowed');
    assert.equal(await gauge('provider_budget_exhausted'), '0');
    assert.equal(await fetch(5), 200);
    await replica.waitFor('breaker_open');
    assert.equal(replica.of('breaker_open').length, 1);
    // The rest of 5 s, as of the instant at which the process logs it.
    assertWithin(Number(replica.of('breaker_open')[0]?.['retry_after_ms']), 4000, 5000);
    await replica.waitFor('breaker_closed');

    assert.deepEqual([await fetch(6), await fetch(7)], [503, 503]);
    assert.equal(await gauge('provider_budget_exhausted'), '1');
    assert.equal(await gauge('breaker_open'), '0');
    await replica.waitFor('provider_budget_exhausted');
    assert.equal(replica.of('provider_budget_exhausted').length, 1);
  });
});
