import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { attempt, type Reply, tally } from '../support/load.js';
import { startNginx } from '../support/nginx.js';
import { placeKey, placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { freePort } from '../support/redis-server.js';
import type { Service } from '../support/service.js';
import { startStack, type Stack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

/** A keep-alive client that asks until an answer ends its connection, as every client must. */
async function untilDismissed(replica: Service, replies: Reply[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const reply = await attempt(replica.url + placePath(1), { agent });
    replies.push(reply);
    if (reply.error !== undefined || reply.headers.connection === 'close') break;
    await sleep(5);
  }
  agent.destroy();
}

/** Sends SIGTERM; tells the exit code and the time that it took in milliseconds. */
async function terminate(service: Service): Promise<{ code: number | null; ms: number }> {
  const started = performance.now();
  service.kill('SIGTERM');
  const code = await service.exited;
  return { code, ms: performance.now() - started };
}

describe('SIGTERM', () => {
  it('loses no request of keep-alive clients, and finishes what runs', async (t) => {
    const stack = await startStack(t, {
      replicas: 1,
      workers: 1,
      env: { SHUTDOWN_DELAY_MS: '1500', SHUTDOWN_TIMEOUT_MS: '12000' },
    });
    const replica = stack.replicas[0]!;
    await attempt(replica.url + placePath(1));
    const replies: Reply[] = [];
    const clients = Array.from({ length: 8 }, () => untilDismissed(replica, replies));
    await eventually(() => replies.length > 50, 'a load');

    const ended = terminate(replica);
    await replica.waitFor('shutdown_started');
    assert.equal(await readiness(replica), 503);
    const before = replies.length;
    await sleep(500);
    assert.ok(replies.length > before, 'it goes on serving while others learn of it');
    // Comes while it still serves, and takes longer than half of the time that it is promised.
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 9000 });
    const slow = attempt(replica.url + placePath(2));
    await Promise.all(clients);
    assert.deepEqual(tally(replies), { '200 HIT': replies.length });
    assert.equal((await slow).status, 200);
    const { code, ms } = await ended;
    assert.equal(code, 0);
    assert.ok(ms < 15_000, `${ms} ms`);
    assert.equal(replica.of('shutdown_complete').length, 1);
  });

  for (const [what, env] of [
    ['replica', {}],
    ['replica with a worker', { RUN_WORKER: 'true' }],
  ] as const) {
    it(`ends a ${what} in time although a request and Redis hang`, async (t) => {
      const timeoutMs = 4000;
      const stack = await startStack(t, {
        replicas: 1,
        workers: 0,
        env: { ...env, SHUTDOWN_TIMEOUT_MS: String(timeoutMs) },
      });
      const replica = stack.replicas[0]!;
      stack.upstream.behave(PATHS.openMeteo, { kind: 'hang' });
      const hanging = attempt(replica.url + placePath(1));
      await eventually(() => stack.upstream.count(PATHS.openMeteo) > 0, 'the fetch');
      await stack.redis.kill('SIGSTOP');
      const { code, ms } = await terminate(replica);
      await stack.redis.kill('SIGCONT');
      assert.equal(code, 0, JSON.stringify(replica.records.slice(-3)));
      assert.ok(ms < timeoutMs + 1000, `${ms} ms`);
      assert.notEqual((await hanging).status, 200);
    });
  }

  for (const [what, start] of [
    ['worker', (stack: Stack) => stack.addWorker()],
    ['replica with a worker', (stack: Stack) => stack.addReplica({ RUN_WORKER: 'true' })],
  ] as const) {
    it(`does not keep a ${what} that runs nothing waiting for a dead Redis`, async (t) => {
      const timeoutMs = 60_000;
      const env = { SHUTDOWN_TIMEOUT_MS: String(timeoutMs) };
      const stack = await startStack(t, { replicas: 0, workers: 0, env });
      const service = await start(stack);
      await sleep(1000);
      await stack.redis.kill('SIGKILL');
      await service.waitFor('redis_degraded');
      const { code, ms } = await terminate(service);
      assert.equal(code, 0);
      assert.ok(ms < timeoutMs / 2, `${ms} ms`);
    });
  }

  it('ends a worker together with its fetch, and one more fetch answers those who wait', async (t) => {
    const stack = await startStack(t, { replicas: 2, workers: 1 });
    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    const waiting = stack.replicas.map(({ url }) => attempt(url + placePath(1)));
    await eventually(() => stack.upstream.count(PATHS.openMeteo) === 1, 'the fetch');
    const { code, ms } = await terminate(stack.workers[0]!);
    assert.equal(code, 0);
    assert.ok(ms < 5000, `${ms} ms`);
    for (const reply of await Promise.all(waiting)) {
      assert.equal(reply.status, 200);
      // The lease went back at once: nobody waited for it to run out.
      assert.ok(reply.ms < 5000, `${reply.ms} ms`);
    }
    assert.equal(stack.upstream.count(PATHS.openMeteo, placeKey(1)), 2);
  });
});

describe('three replicas behind nginx', () => {
  it('are replaced one by one under keep-alive load, and no request is lost', async (t) => {
    const stack = await startStack(t, {
      replicas: 0,
      workers: 1,
      env: { TRUST_PROXY: '1', SHUTDOWN_DELAY_MS: '500', SHUTDOWN_TIMEOUT_MS: '8000' },
    });
    const ports = [await freePort(), await freePort(), await freePort()];
    const start = async (port: number) => {
      const replica = await stack.addReplica({ PORT: String(port) });
      await becomesReady(replica);
      return replica;
    };
    const old = await Promise.all(ports.map(start));
    const proxy = await startNginx({ replicas: old.map(({ url }) => url) });
    t.after(() => proxy.stop());

    const replies: Reply[] = [];
    let stopping = false;
    t.after(() => {
      stopping = true;
    });
    const client = async (n: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let count = 0; !stopping; count += 1) {
        const headers = { 'X-Forwarded-For': `10.3.${n}.1` };
        const body = { city: 'Berlin', country: 'Germany' };
        replies.push(
          count % 3 === 0
            ? await attempt(`${proxy.url}/api/v1/weather`, { method: 'POST', body, headers, agent })
            : await attempt(proxy.url + placePath(count % 7), { headers, agent }),
        );
        await sleep(10);
      }
      agent.destroy();
    };
    const clients = Array.from({ length: 10 }, (_, n) => client(n));
    for (const replica of old) {
      await sleep(300);
      const { code } = await terminate(replica);
      assert.equal(code, 0);
      await start(Number(new URL(replica.url).port));
    }
    await sleep(300);
    stopping = true;
    await Promise.all(clients);
    const outcomes = tally(replies);
    t.diagnostic(JSON.stringify(outcomes));
    assert.deepEqual(
      Object.keys(outcomes).filter((outcome) => !outcome.startsWith('200 ')),
      [],
    );
  });
});
