import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath, requestKey } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';
import { connectTo } from '../support/use-redis.js';

it('a process that was stopped during a fetch replaces no newer data, and its data has its age', async (t) => {
  const stack = await startStack(t, { replicas: 1, workers: 0 });
  const stopped = stack.replicas[0]!;
  const other = await stack.addReplica({ REDIS_URL: stack.redis.url, RUN_WORKER: 'false' });
  const redis = connectTo(t, stack.redis);
  stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 500, times: 1 });
  const late = attempt(stopped.url + placePath(1));
  await eventually(() => stack.upstream.count(PATHS.openMeteo) === 1, 'a call');
  stopped.kill('SIGSTOP');
  assert.equal((await attempt(other.url + placePath(1))).status, 200);
  const entry = `weather:entry6:{${requestKey(1)}}`;
  const fetchIdIn = (text: string | null) =>
    (JSON.parse(text ?? '{}') as { fetchId?: string }).fetchId;
  const newer = await other.waitFor('fetch');
  await eventually(async () => fetchIdIn(await redis.get(entry)) === newer['fetch_id'], 'data');
  stopped.kill('SIGCONT');
  const reply = await late;
  assert.equal(reply.status, 200);
  await stopped.waitFor('fetch');
  await sleep(300);
  assert.equal(fetchIdIn(await redis.get(entry)), newer['fetch_id']);
  // The lock of its job ends after three seconds.
  if (reply.headers['x-cache'] === 'MISS') assert.ok(Number(reply.headers.age) >= 2);
});
