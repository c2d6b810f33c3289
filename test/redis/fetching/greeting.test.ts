import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connect } from '../../../src/redis/client/connection.js';
import { createGreet } from '../../../src/redis/fetching/workers.js';
import { eventually } from '../../support/eventually.js';
import { names } from '../../support/names.js';
import { startRedisCluster } from '../../support/redis-cluster.js';
import { createGatedStore } from './members/gated-store.js';

describe("a worker's greeting in a cluster", () => {
  it('asks the node of its channel, and never one that hangs elsewhere', async (t) => {
    const cluster = await startRedisCluster({ nodeTimeoutMs: 60_000 });
    t.after(() => cluster.stop());
    const nodes = cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port }));
    const store = createGatedStore(connect({ kind: 'cluster', nodes }, 'requests'), (error) => {
      throw error;
    });
    t.after(() => {
      store.close();
    });
    const greet = createGreet(store, names);
    const greets = () =>
      greet('here').then(
        () => true,
        () => false,
      );
    await eventually(greets, 'a greeting');
    const owner = await cluster.nodeOf(names.announcements);
    const hung = cluster.nodes.find((node) => node !== owner)!;
    await hung.kill('SIGSTOP');
    for (let n = 0; n < 20; n += 1) assert.ok(await greets());
    await hung.kill('SIGCONT');
  });
});
