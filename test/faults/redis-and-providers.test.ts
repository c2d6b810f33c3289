import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placeKey, placePath } from '../support/places.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';

const CACHE_TTL_SECONDS = 1;

describe('Redis is unavailable and the providers fail', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 0,
    env: { CACHE_TTL_SECONDS: String(CACHE_TTL_SECONDS), REFRESH_AHEAD_SECONDS: '0' },
  });

  it('MET Norway is not called again before its response expires, and other entries are served stale', async () => {
    const { redis, replicas, upstream } = stackOf();
    const failing = { kind: 'status', status: 500 } as const;
    for (const { url } of replicas) {
      for (const n of [1, 2]) assert.equal((await attempt(url + placePath(n))).status, 200);
    }
    await redis.kill('SIGKILL');
    const [replica] = replicas;
    await replica!.waitFor('redis_unavailable');
    upstream.behave(PATHS.openMeteo, failing);
    await eventually(async () => {
      const { status, headers } = await attempt(replica!.url + placePath(3));
      assert.deepEqual([status, headers['x-weather-provider']], [200, 'met-norway']);
      await sleep(100);
      return Number(headers.age) > CACHE_TTL_SECONDS;
    }, 'an entry that is older than the TTL');
    assert.equal(upstream.count(PATHS.metNorway, placeKey(3)), 1);

    upstream.behave(PATHS.metNorway, failing);
    for (const { url } of replicas) {
      await eventually(async () => {
        const { status, headers } = await attempt(url + placePath(1));
        assert.equal(status, 200);
        return headers['x-cache'] === 'STALE';
      }, 'a stale answer');
    }
  });
});
