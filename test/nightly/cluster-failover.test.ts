import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { startLoad, tally } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { administer } from '../support/redis-cluster.js';
import type { RedisServer } from '../support/redis-server.js';
import { assertFollowsTheNewMaster, startOnCluster } from './cluster-failover.js';
import { names } from '../support/names.js';

describe('a cluster whose masters have replicas', () => {
  it('master killed and replaced: all is normal, and told so; then it is back', async (t) => {
    await assertFollowsTheNewMaster(t, 'SIGKILL');
  });

  it('master hung and replaced: all is normal, and told so; then it is back', async (t) => {
    await assertFollowsTheNewMaster(t, 'SIGSTOP');
  });

  it('the node that brings the announcements hangs: another one brings them', async (t) => {
    const { cluster, replicas } = await startOnCluster(t, { nodeTimeoutMs: 60_000 });
    const subscribers = async (node: RedisServer) => {
      const [, count] = (await administer(node, (redis) =>
        redis.pubsub('NUMSUB', names.announcements),
      )) as [string, number];
      return count;
    };
    const counts = await Promise.all(cluster.nodes.map(subscribers));
    const hung = cluster.nodes[counts.findIndex((count) => count > 0)]!;
    const others = cluster.nodes.filter((node) => node !== hung);
    await hung.kill('SIGSTOP');
    await eventually(async () => {
      const heard = await Promise.all(others.map(subscribers));
      return heard.reduce((sum, count) => sum + count, 0) === replicas.length;
    }, 'all subscriptions at nodes that answer');
    await hung.kill('SIGCONT');
  });

  it('its connections are reset again and again: nothing is written but records', async (t) => {
    const { cluster, replicas, url } = await startOnCluster(t);
    const load = startLoad(t, { clients: 4, next: (count) => url(placePath(count % 100)) });
    for (let round = 0; round < 20; round += 1) {
      for (const node of cluster.nodes) {
        for (const type of ['normal', 'pubsub'])
          await administer(node, (redis) =>
            redis.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes'),
          );
      }
      await sleep(100);
    }
    assert.deepEqual(
      Object.keys(tally(await load.stop())).filter((o) => !/^200 (HIT|MISS|COALESCED)$/.test(o)),
      [],
    );
    for (const replica of replicas) await becomesReady(replica);
  });
});
