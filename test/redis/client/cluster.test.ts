import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noInstruments } from '../../../src/base/instruments.js';
import { connect } from '../../../src/redis/client/connection.js';
import { createGuardedRedis } from '../../../src/redis/client/guarded-redis.js';
import { eventually } from '../../support/eventually.js';
import { systemClock } from '../../support/manual-clock.js';
import { names } from '../../support/names.js';
import { recordingLog } from '../../support/records.js';
import { administer, startRedisCluster, type RedisCluster } from '../../support/redis-cluster.js';

interface Announcement {
  what: string;
  /** The number of nodes with the options. */
  nodes: number;
  options: Record<string, string>;
  /** The options of the other nodes. */
  others?: Record<string, string>;
  address: (cluster: RedisCluster) => RegExp;
}

const ANNOUNCEMENTS: Announcement[] = [
  {
    what: 'a host without an address, of one node',
    nodes: 1,
    options: {
      'cluster-announce-hostname': 'nowhere.invalid',
      'cluster-preferred-endpoint-type': 'hostname',
    },
    // A node that prefers names reports `?` for a node without a name.
    others: {
      'cluster-announce-hostname': '127.0.0.1',
      'cluster-preferred-endpoint-type': 'hostname',
    },
    address: ({ nodes }) => new RegExp(`nowhere.invalid:${nodes[0]?.port}`),
  },
  {
    what: 'a port without a server, of all nodes',
    nodes: 3,
    options: { 'cluster-announce-port': '7' },
    address: () => /127\.0\.0\.1:7\b/,
  },
];

describe('an address that a cluster reports and that cannot be used', () => {
  for (const { what, nodes, options, others = {}, address } of ANNOUNCEMENTS) {
    it(`is in the record: ${what}`, async (t) => {
      const cluster = await startRedisCluster();
      t.after(() => cluster.stop());
      for (const [index, node] of cluster.nodes.entries()) {
        await administer(node, async (redis) => {
          for (const [name, value] of Object.entries(index < nodes ? options : others))
            await redis.config('SET', name, value);
        });
      }
      await eventually(async () => {
        const tables = await Promise.all(
          cluster.nodes.map((node) => administer(node, (redis) => redis.cluster('SLOTS'))),
        );
        return !JSON.stringify(tables).includes('"?"');
      }, 'every node knows the announced addresses');
      const client = connect(
        { kind: 'cluster', nodes: cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port })) },
        'requests',
      );
      const { log, records } = recordingLog();
      const guarded = createGuardedRedis({
        ...{ client, names, log, instruments: noInstruments, clock: systemClock },
      });
      t.after(() => {
        guarded.close();
      });
      // On a busy machine, an earlier record may say that a node did not reply in time.
      const hasAddress = ({ event, message }: (typeof records)[0]) =>
        event === 'redis_unavailable' && address(cluster).test(String(message));
      await eventually(() => records.some(hasAddress), 'a record with the address');
      assert.equal(guarded.state().check, 'down');
    });
  }
});
