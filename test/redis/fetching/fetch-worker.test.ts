import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createNames } from '../../../src/redis/names.js';
import { eventually } from '../../support/eventually.js';
import { startRelay } from '../../support/relay.js';
import { useRedis } from '../../support/use-redis.js';
import { startMember } from './fleet.js';

const NAMES = createNames('worker', 0);
const TTL = { freshMs: 60_000, staleMs: 60_000 };

describe('a worker whose commands Redis rejects', () => {
  const redis = useRedis();

  it('is unhealthy until Redis accepts them', async (t) => {
    const worker = await startMember(t, {
      ...{ port: Number(new URL(redis.url).port), names: NAMES, role: 'worker' },
      provider: { delayMs: 0, ttl: TTL },
    });
    const failures = () => worker.records.filter(({ event }) => event === 'worker_failing');
    assert.equal(worker.isHealthy(), true);

    // The command by which BullMQ waits for a job.
    await redis.client.call('ACL', 'SETUSER', 'default', '-bzpopmin');
    await eventually(() => failures().length > 0, 'a record');
    assert.equal(worker.isHealthy(), false);

    await redis.client.call('ACL', 'SETUSER', 'default', '+bzpopmin');
    await eventually(() => worker.isHealthy() === true, 'a healthy worker');
    assert.equal(failures().length, 1);
  });
});

describe('a worker whose replies are out of step at the end of a job', () => {
  const redis = useRedis();

  it('takes the next jobs over new connections', async (t) => {
    const port = Number(new URL(redis.url).port);
    const relay = await startRelay(t, port);
    const provider = { delayMs: 100, ttl: TTL };
    const common = { names: NAMES, provider };
    const worker = await startMember(t, { ...common, port: relay.port, role: 'worker' });
    const replica = await startMember(t, { ...common, port, role: 'replica' });
    const connections = relay.accepted();

    // The replies to the two commands by which BullMQ stores that a job has ended, and that it has failed.
    const replies = [
      [':0\r\n', ':-1\r\n'],
      [':-1\r\n', ':0\r\n'],
    ];
    relay.tamperBy((bytes) => {
      const [right, wrong] = worker.calls('a') === 1 ? (replies[0] ?? []) : [];
      if (wrong === undefined || bytes.toString() !== right) return [bytes];
      replies.shift();
      return [Buffer.from(wrong)];
    });
    await replica.ask('a');
    await eventually(() => replies.length === 0, 'both replies');
    await eventually(() => relay.accepted() >= connections + 2, 'new connections');
    await replica.ask('b');
    assert.equal(worker.calls('b'), 1);
  });
});
