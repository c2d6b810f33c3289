import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import { systemClock as clock } from '../../../src/process/clock.js';
import { connect } from '../../../src/redis/client/connection.js';
import { startFetchWorker } from '../../../src/redis/fetching/worker.js';
import { eventually } from '../../support/eventually.js';
import { names } from '../../support/names.js';
import { recordingLog } from '../../support/records.js';
import { useRedis } from '../../support/use-redis.js';

describe('a worker that closes', () => {
  const redis = useRedis();

  it('still listens to what Redis says to a connection before it ends', async () => {
    const client = connect({ kind: 'single', url: redis.url }, 'worker') as Redis;
    const duplicate = client.duplicate.bind(client);
    const opened: Redis[] = [];
    client.duplicate = (options) => {
      const connection = duplicate(options);
      opened.push(connection);
      return connection;
    };
    const { log } = recordingLog();
    const never = () => Promise.reject(new Error('there are no jobs'));
    const worker = startFetchWorker({
      ...{ client, names, clock, log, concurrency: 1, signal: new AbortController().signal },
      store: { isWritable: () => true },
      records: { ask: never, end: never, renew: never },
      runFetch: never,
      greet: () => Promise.resolve(),
    });
    await eventually(() => opened.some(({ status }) => status === 'ready'), 'its connection');
    worker.close();
    await eventually(() => opened.every(({ status }) => status === 'end'), 'the end of it');
    // Without a listener the client writes such an error to standard error, with its stack.
    for (const connection of opened) assert.ok(connection.listenerCount('error') > 0);
  });
});
