import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placeKey, placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

const ENV = { CACHE_TTL_SECONDS: '1', REFRESH_AHEAD_SECONDS: '0' };

describe('Redis is unavailable', () => {
  it('and the providers refuse: each replica answers with its own stale copies', async (t) => {
    const stack = await startStack(t, { replicas: 2, workers: 1, env: ENV });
    const ask = (url: string) => attempt(url + placePath(1));
    for (const { url } of stack.replicas) assert.equal((await ask(url)).status, 200);
    for (const path of [PATHS.openMeteo, PATHS.metNorway]) {
      stack.upstream.behave(path, { kind: 'status', status: 429 });
    }
    await stack.redis.kill('SIGKILL');
    for (const { url } of stack.replicas) {
      await eventually(async () => {
        const { status, headers } = await ask(url);
        assert.equal(status, 200);
        return headers['x-cache'] === 'STALE';
      }, 'a stale answer');
    }
  });

  it('MET Norway is not asked again before its answer expires', async (t) => {
    const stack = await startStack(t, { replicas: 1, workers: 0, env: ENV });
    stack.upstream.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
    await stack.redis.kill('SIGKILL');
    await stack.replicas[0]!.waitFor('redis_degraded');
    const fetches = () => stack.replicas[0]!.of('fetch').length;
    await eventually(async () => {
      const { status, headers } = await attempt(stack.url(placePath(1)));
      assert.deepEqual([status, headers['x-weather-provider']], [200, 'met-norway']);
      await sleep(200);
      return fetches() >= 4;
    }, 'fetches of the same place');
    assert.equal(stack.upstream.count(PATHS.metNorway, placeKey(1)), 1);
  });
});
