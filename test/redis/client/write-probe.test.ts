import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { connect } from '../../../src/redis/client/connection.js';
import { createWriteProbe } from '../../../src/redis/client/write-probe.js';
import { eventually } from '../../support/eventually.js';
import { startRedis } from '../../support/redis-server.js';
import { startRelay } from '../../support/relay.js';

async function setUp(t: TestContext) {
  const redis = await startRedis();
  t.after(() => redis.stop());
  const address = await startRelay(t, redis.port);
  const client = connect({ kind: 'single', url: `redis://127.0.0.1:${address.port}` }, 'requests');
  t.after(() => {
    client.disconnect();
  });
  const admin = new Redis(redis.url);
  t.after(() => {
    admin.disconnect();
  });
  await eventually(() => client.status === 'ready', 'a connection');
  if (!(client instanceof Redis)) throw new Error('not a single Redis');
  const probe = createWriteProbe(client);
  return { address, client, admin, takesWrites: () => probe(client, 'weather:write-probe') };
}

describe('the probe for writes', () => {
  it('moves to the new master once the address leads there', async (t) => {
    const { address, client, admin, takesWrites } = await setUp(t);
    assert.equal(await takesWrites(), true);

    const next = await startRedis();
    t.after(() => next.stop());
    await admin.replicaof('127.0.0.1', next.port);
    address.leadTo(next.port);
    await eventually(takesWrites, 'writes at the new master');
    const server = await client.info('server');
    assert.ok(server.includes(`tcp_port:${next.port}`));
  });

  it('keeps the connection, and with it the reads, where no better one is', async (t) => {
    const { address, client, admin, takesWrites } = await setUp(t);
    await client.set('kept', 'value');
    await admin.replicaof('127.0.0.1', 1);
    const before = address.accepted();
    for (let n = 0; n < 200; n += 1) {
      assert.equal(await takesWrites(), false);
      assert.equal(await client.get('kept'), 'value');
    }
    // One look elsewhere, not two hundred.
    assert.ok(address.accepted() - before <= 2, `${address.accepted() - before} connections`);
    await admin.replicaof('NO', 'ONE');
    assert.equal(await takesWrites(), true);
  });
});
