import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { placePath } from '../support/places.js';
import { freePort } from '../support/redis-server.js';
import { startProcesses } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';

async function startReplica(t: TestContext, env: Record<string, string>) {
  const port = await freePort();
  const { replicas, upstream } = await startProcesses(t, {
    replicas: 1,
    workers: 0,
    env: { WEATHER_PROVIDERS: 'open-meteo', METRICS_PORT: String(port), ...env },
  });
  const replica = replicas[0]!;
  return {
    replica,
    upstream,
    fetch: async (n: number) => (await ask(replica.url + placePath(n))).status,
    gauge: async (name: string): Promise<string | undefined> => {
      const { text } = await ask(`http://127.0.0.1:${port}/metrics`);
      return new RegExp(`^${name}\\{provider="open-meteo"\\} (.*)$`, 'm').exec(text)?.[1];
    },
  };
}

describe('a provider that fails', { timeout: 60_000 }, () => {
  it('is called again after 5 s, whatever Retry-After its 503 has', async (t) => {
    const { replica, upstream, fetch, gauge } = await startReplica(t, {});
    const headers = { 'retry-after': '3600' };
    upstream.behave(PATHS.openMeteo, { kind: 'status', status: 503, headers });
    for (const n of [1, 2]) assert.equal(await fetch(n), 503);
    assert.equal(await gauge('weather_breaker_open'), '0');
    assert.equal(await fetch(3), 503);
    assert.equal(await gauge('weather_breaker_open'), '1');
    assert.equal(await fetch(4), 503);
    assert.equal(upstream.count(PATHS.openMeteo), 3);

    upstream.behave(PATHS.openMeteo);
    await eventually(
      async () => (await gauge('weather_breaker_open')) === '0',
      'a call is allowed',
    );
    assert.equal(await fetch(5), 200);
    assert.equal(replica.of('breaker_open').length, 1);
    assert.equal(replica.of('breaker_open')[0]?.['retry_after_ms'], 5000);
    await replica.waitFor('breaker_closed');
  });
});

describe('a budget that is used up', { timeout: 60_000 }, () => {
  it('is reported in the log and as a metric', async (t) => {
    const budgets = { PROVIDER_BUDGETS: 'open-meteo=2/60' };
    const { replica, fetch, gauge } = await startReplica(t, budgets);
    assert.deepEqual([await fetch(1), await fetch(2)], [200, 200]);
    assert.equal(await gauge('weather_provider_budget_spent'), '0');
    assert.deepEqual([await fetch(3), await fetch(4)], [503, 503]);
    assert.equal(await gauge('weather_provider_budget_spent'), '1');
    assert.equal(await gauge('weather_breaker_open'), '0');
    assert.equal(replica.of('provider_budget_spent').length, 1);
  });
});
