import assert from 'node:assert/strict';
import { it } from 'node:test';
import { noInstruments } from '../../../src/base/instruments.js';
import { connect } from '../../../src/redis/client/connection.js';
import { createGuardedRedis } from '../../../src/redis/client/guarded-redis.js';
import { eventually } from '../../support/eventually.js';
import { systemClock } from '../../support/manual-clock.js';
import { names } from '../../support/names.js';
import { recordingLog } from '../../support/records.js';
import { administer, startRedisCluster } from '../../support/redis-cluster.js';

const PORT_WITHOUT_SERVER = '7';

it('an address that a cluster reports and that cannot be used is in the record', async (t) => {
  const cluster = await startRedisCluster();
  t.after(() => cluster.stop());
  for (const node of cluster.nodes) {
    await administer(node, (redis) =>
      redis.config('SET', 'cluster-announce-port', PORT_WITHOUT_SERVER),
    );
  }
  // A client that connects before would use the real ports, which it never asks for again.
  await eventually(async () => {
    const tables = await Promise.all(
      cluster.nodes.map((node) => administer(node, (redis) => redis.cluster('SLOTS'))),
    );
    return cluster.nodes.every(
      ({ port }) => !JSON.stringify(tables).includes(`"127.0.0.1",${port}`),
    );
  }, 'every node knows the announced port');
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
    event === 'redis_unavailable' && String(message).includes(`127.0.0.1:${PORT_WITHOUT_SERVER}`);
  await eventually(() => records.some(hasAddress), 'a record with the address');
  assert.equal(guarded.state().check, 'down');
});
