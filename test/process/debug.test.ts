import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createDebugPages, redacted } from '../../src/process/debug.js';
import { createMetrics } from '../../src/process/metrics.js';
import { serveMetrics } from '../../src/process/metrics-server.js';
import { createRecent } from '../../src/process/recent.js';
import { loadConfig } from '../../src/config/config.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { becomesReady } from '../support/readiness.js';
import { freePort, startRedis, type RedisServer } from '../support/redis-server.js';
import { providersAt, startReplica, type Service } from '../support/service.js';
import { openRelay, type Relay } from '../support/relay.js';
import { PATHS, startStandIn, type StandIn } from '../support/stand-in.js';

const KEY = 'a-session-key-that-nobody-may-see';
const API_KEY = 'an-api-key-that-nobody-may-see';
const PASSWORD = 'a-password-that-nobody-may-see';

describe('the debug pages', () => {
  let redis: RedisServer;
  let wire: Relay;
  let standIn: StandIn;
  let replica: Service;
  let port: number;
  const page = async (name: string) => {
    const { status, text } = await ask(`http://127.0.0.1:${port}/debug/${name}`);
    assert.equal(status, 200);
    for (const secret of [KEY, API_KEY, PASSWORD]) assert.ok(!text.includes(secret));
    return JSON.parse(text) as Record<string, unknown>;
  };

  before(async () => {
    [redis, standIn, port] = await Promise.all([
      startRedis({ args: ['--requirepass', PASSWORD] }),
      startStandIn(),
      freePort(),
    ]);
    wire = await openRelay(redis.port);
    replica = await startReplica({
      REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${wire.port}`,
      SESSION_SECRET_KEY: KEY,
      OPENWEATHERMAP_API_KEY: API_KEY,
      ...providersAt(standIn.url),
      METRICS_PORT: String(port),
    });
    await becomesReady(replica);
  });
  after(async () => {
    await replica.stop();
    wire.close();
    await Promise.all([redis.stop(), standIn.close()]);
  });

  it('show the configuration without its secrets', async () => {
    const config = await page('config');
    assert.deepEqual(config['session'], {
      ...(config['session'] as object),
      keys: '[redacted]',
      ttlSeconds: 86_400,
    });
    assert.deepEqual(config['redis'], {
      kind: 'single',
      url: `redis://[redacted]@127.0.0.1:${wire.port}`,
    });
  });

  it('show what a provider failed with last', async () => {
    standIn.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
    await ask(`${replica.url}/api/v1/weather?city=Oslo&country=Norway`);
    await eventually(async () => {
      const { providers } = (await page('providers')) as {
        providers: {
          provider: string;
          breaker: string;
          last_failure: { kind: string; reason: string } | null;
        }[];
      };
      const [first] = providers;
      assert.deepEqual([first?.provider, first?.breaker], ['open-meteo', 'closed']);
      if (!first?.last_failure) return false;
      const { kind, reason } = first.last_failure;
      assert.deepEqual([kind, reason], ['unavailable', 'open-meteo: server error (status 500)']);
      return true;
    }, 'the failure of Open-Meteo');
  });

  it('show for how long an open breaker still refuses calls', async () => {
    const headers = { 'retry-after': '3600' };
    standIn.behave(PATHS.openMeteo, { kind: 'status', status: 429, headers });
    await ask(`${replica.url}/api/v1/weather?city=Bergen&country=Norway`);
    await eventually(async () => {
      const { providers } = (await page('providers')) as {
        providers: { breaker: string; retry_after_ms: number | null }[];
      };
      const [first, second] = providers;
      assert.deepEqual([second?.breaker, second?.retry_after_ms], ['closed', null]);
      if (first?.breaker !== 'open') return false;
      assert.ok(Number.isInteger(first.retry_after_ms), String(first.retry_after_ms));
      assert.ok(first.retry_after_ms! > 60_000 && first.retry_after_ms! <= 3_600_000);
      return true;
    }, 'the open breaker');
  });

  it('show the budgets in effect, also when none is set', async () => {
    const itsPort = await freePort();
    const lone = await startReplica({ METRICS_PORT: String(itsPort) });
    const { json } = await ask(`http://127.0.0.1:${itsPort}/debug/config`);
    await lone.stop();
    const { upstream } = json as { upstream: { budgets: Record<string, unknown> } };
    assert.deepEqual(Object.keys(upstream.budgets), [
      'open-meteo',
      'open-meteo-geocoding',
      'met-norway',
    ]);
    assert.deepEqual(upstream.budgets['met-norway'], {
      name: 'met-norway',
      windows: [{ limit: 20, windowSeconds: 1 }],
    });
  });

  it('answer while Redis hangs, and say so, since when and why', async () => {
    const well = await page('redis');
    assert.equal(well['state'], 'well');
    wire.hold();
    // At once, before anybody has noticed.
    await Promise.all(['config', 'providers', 'redis'].map((name) => page(name)));
    await eventually(
      async () => (await page('redis'))['state'] === 'unavailable',
      'Redis is unavailable',
    );
    const hung = await page('redis');
    assert.equal(hung['reason'], 'no_answer');
    assert.ok(String(hung['since']) > String(well['since']));
    const { providers } = await page('providers');
    assert.ok(Array.isArray(providers) && providers.length > 0);
    await page('config');
    wire.release();
    await eventually(async () => (await page('redis'))['state'] === 'well', 'the recovery');
  });

  it('are on the port of the metrics only', async () => {
    for (const name of ['config', 'providers', 'redis']) {
      assert.equal((await ask(`${replica.url}/debug/${name}`)).status, 404);
    }
  });
});

describe('a debug page', () => {
  it('tells what it knows when a question is never answered', async (t) => {
    const never = () => new Promise<never>(() => undefined);
    const probes = {
      backlog: never,
      breakerOpenMs: () => 0,
      budgetState: never,
      memory: never,
      providers: ['open-meteo'],
      budgets: new Map(),
    };
    const recent = createRecent();
    recent.redisUnavailable({ reason: 'no_answer' });
    const pages = createDebugPages({ config: loadConfig({}), recent, probes: () => probes });
    const health = { isWell: () => true, isReady: () => true };
    const address = { host: '127.0.0.1', port: 0 };
    const server = await serveMetrics(createMetrics(), address, health, pages);
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const told = await ask(`http://127.0.0.1:${port}/debug/providers`);
    assert.deepEqual(told.json, {
      providers: [
        {
          provider: 'open-meteo',
          breaker: 'closed',
          retry_after_ms: null,
          budget: 'unknown',
          last_failure: null,
        },
      ],
    });
  });
});

describe('redacting', () => {
  it('hides values by their names, at any depth, and credentials in addresses', () => {
    assert.deepEqual(
      redacted({
        a: { apiKey: 'x', list: ['rediss://u:p@host:1/0', 'https://host/'] },
        keys: ['x'],
      }),
      {
        a: { apiKey: '[redacted]', list: ['rediss://[redacted]@host:1/0', 'https://host/'] },
        keys: '[redacted]',
      },
    );
  });
});
