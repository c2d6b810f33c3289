import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { guardedRedis } from '../../support/guarded-redis.js';
import { startRelay } from '../../support/relay.js';
import { useRedis } from '../../support/use-redis.js';

const portOf = (redis: { url: string }) => Number(new URL(redis.url).port);

describe('a server that becomes read-only', () => {
  const [old, promoted] = [useRedis(), useRedis()];

  it('answers reads, and is left when its address leads to another server', async (t) => {
    const relay = await startRelay(t, portOf(old));
    const guarded = await guardedRedis(t, `redis://127.0.0.1:${relay.port}`);
    await old.client.set('key', 'old');
    await promoted.client.set('key', 'new');
    const read = () => guarded.command(() => guarded.client.get('key')).catch(() => '');

    await old.client.replicaof('127.0.0.1', 1);
    await eventually(() => !guarded.isWritable(), 'the fault');
    await eventually(async () => (await read()) === 'old', 'a reply over the same connection');
    await eventually(() => relay.accepted() >= 3, 'two new connections');
    assert.equal(guarded.isWritable(), false);
    await eventually(async () => (await read()) === 'old', 'a reply over a new connection');

    relay.leadTo(portOf(promoted));
    await eventually(() => guarded.isWritable(), 'another server');
    assert.equal(await read(), 'new');
  });
});
