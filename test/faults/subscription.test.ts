import { it } from 'node:test';
import { createNames } from '../../src/redis/names.js';
import { eventually } from '../support/eventually.js';
import { becomesReady } from '../support/readiness.js';
import { administer, startRedis } from '../support/redis-server.js';
import { startRelay } from '../support/relay.js';
import { startProcesses } from '../support/stack.js';

const DATABASE = 3;

it('a process subscribes to the channel of its database, also after replies for which its client library throws', async (t) => {
  const redis = await startRedis();
  const relay = await startRelay(t, redis.port);
  let replaced = 0;
  relay.tamperBy((bytes) => {
    if (replaced === 2 || !bytes.includes('$9\r\nsubscribe')) return [bytes];
    replaced += 1;
    return [Buffer.from(':1\r\n')];
  });
  const { replicas } = await startProcesses(t, {
    ...{ replicas: 1, workers: 0, store: redis, redisRefuses: true },
    env: { REDIS_URL: `redis://127.0.0.1:${relay.port}/${DATABASE}` },
  });
  await eventually(() => replaced === 2, 'two replies to SUBSCRIBE that are numbers');
  await becomesReady(replicas[0]!);
  const channel = createNames('weather', DATABASE).fetchMessages;
  const subscribers = () => administer(redis, (client) => client.pubsub('NUMSUB', channel));
  await eventually(async () => (await subscribers())[1] === 1, 'a subscription');
});
