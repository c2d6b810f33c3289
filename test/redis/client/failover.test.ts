import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { noInstruments } from '../../../src/base/instruments.js';
import { connect } from '../../../src/redis/client/connection.js';
import { createFailover } from '../../../src/redis/client/failover.js';
import { createGuardedRedis } from '../../../src/redis/client/guarded-redis.js';
import { createNames } from '../../../src/redis/names.js';
import { eventually } from '../../support/eventually.js';
import { systemClock } from '../../support/manual-clock.js';
import { startRelay } from '../../support/relay.js';
import { useRedis } from '../../support/use-redis.js';

const portOf = (redis: { url: string }) => Number(new URL(redis.url).port);

describe('a server that becomes read-only', () => {
  const [old, promoted] = [useRedis(), useRedis()];

  it('answers every read, and is left when its address leads to another server', async (t) => {
    const relay = await startRelay(t, portOf(old));
    const guarded = createGuardedRedis({
      client: connect({ kind: 'single', url: `redis://127.0.0.1:${relay.port}` }, 'requests'),
      names: createNames('weather', 0),
      log: pino({ enabled: false }),
      instruments: noInstruments,
      clock: systemClock,
    });
    t.after(() => {
      guarded.close();
    });
    await eventually(() => guarded.isWritable(), 'a connection');
    await old.client.set('key', 'old');
    await promoted.client.set('key', 'new');
    const read = () => guarded.command('key', () => guarded.client.get('key'));

    await old.client.replicaof('127.0.0.1', 1);
    await eventually(() => !guarded.isWritable(), 'the fault');
    const replies: (string | null)[] = [];
    // Two connections have looked for another server.
    while (relay.accepted() < 3) {
      await guarded.client.set('key', 'x').catch(() => undefined);
      replies.push(await read());
      await sleep(5);
    }
    assert.deepEqual(new Set(replies), new Set(['old']));

    relay.leadTo(portOf(promoted));
    await eventually(() => guarded.isWritable(), 'another server');
    assert.equal(await read(), 'new');
  });

  it('keeps its connection if it takes writes again', async (t) => {
    await old.client.replicaof('NO', 'ONE');
    const client = connect({ kind: 'single', url: old.url }, 'requests') as Redis;
    t.after(() => {
      client.disconnect();
    });
    await once(client, 'ready');
    let closed = 0;
    client.on('close', () => (closed += 1));
    const failover = createFailover(client, 'written', assert.ifError);
    failover(true);
    await eventually(async () => (await old.client.exists('written')) === 1, 'the second write');
    const connections = async () => (await old.client.info('clients')).includes('clients:2\r');
    await eventually(connections, 'the end of the second connection');
    // The health check meanwhile: writes work.
    failover(false);
    failover(true);
    assert.equal(await client.ping(), 'PONG');
    assert.equal(closed, 0);
  });
});
