import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { readiness } from '../support/readiness.js';
import { administer, startRedis } from '../support/redis-server.js';
import { startProcesses } from '../support/stack.js';

describe('one address in front of several shards', () => {
  it('is not supported: the message of Redis is logged, and the replica is not ready', async (t) => {
    // It owns all slots: it redirects nobody, and rejects commands with keys of several slots.
    const redis = await startRedis({ args: ['--cluster-enabled', 'yes'] });
    const isServing = async (): Promise<boolean> => {
      const info = administer(redis, (client) => client.call('CLUSTER', 'INFO'));
      return String(await info).includes('cluster_state:ok');
    };
    await administer(redis, (client) => client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383'));
    await eventually(isServing, 'a Redis that serves all slots');
    const env = { REDIS_URL: redis.url };
    const { replicas } = await startProcesses(t, { replicas: 1, workers: 0, env, store: redis });
    const [replica] = replicas;
    const record = await replica!.waitFor('redis_unavailable');
    assert.equal(record['reason'], 'refused');
    assert.match(String(record['message']), /^CROSSSLOT /);
    assert.equal(await readiness(replica!), 503);
    assert.equal((await attempt(replica!.url + placePath(1))).status, 200);
  });
});
