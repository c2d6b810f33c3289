import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertMisses, workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, burst } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, hasRecovered, readiness } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { recordsFromNow } from '../support/shared-stack.js';
import type { LogRecord } from '../support/service.js';
import { startProcesses } from '../support/stack.js';

describe('replicas that start before Redis', () => {
  it('serve, are not ready, use Redis when it starts, and report that it requires a password', async (t) => {
    const port = await freePort();
    const env = { REDIS_URL: `redis://127.0.0.1:${port}` };
    const processes = await startProcesses(t, { replicas: 1, workers: 1, env });
    const lenient = await processes.addReplica({ READINESS_REQUIRES_REDIS: 'false' });
    for (const replica of processes.replicas) {
      // READINESS_REQUIRES_REDIS=false applies after the first connection only.
      const ready = await attempt(`${replica.url}/api/v1/health/ready`);
      const checks = { redis: 'down' };
      assert.deepEqual([ready.status, ready.json], [503, { status: 'not_ready', checks }]);
      assert.equal((await attempt(`${replica.url}/api/v1/health/live`)).status, 200);
      assert.equal((await attempt(replica.url + placePath(1))).status, 200);
    }

    const redis = await startRedis({ port });
    t.after(() => redis.stop());
    await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
    await workerFetches(processes);
    // Jobs and messages work: one fetch for both replicas.
    const urls = Array.from({ length: 20 }, () => processes.url(placePath(2)));
    assertMisses(processes, await burst(urls));

    await eventually(() => processes.replicas.every(hasRecovered), 'the end of the first outage');
    const records = recordsFromNow(processes.replicas);
    await redis.kill('SIGKILL');
    const protectedRedis = await startRedis({ port, args: ['--requirepass', 'secret'] });
    t.after(() => protectedRedis.stop());
    const isAuthentication = ({ reason }: LogRecord) => reason === 'authentication';
    for (const { message } of await records.each('redis_unavailable', isAuthentication)) {
      assert.match(String(message), /^NOAUTH /);
    }
    const [strict] = processes.replicas;
    assert.deepEqual([await readiness(strict!), await readiness(lenient)], [503, 200]);
  });
});
