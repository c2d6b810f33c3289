import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, type Reply, tally, assertOutcomes, burst } from '../support/load.js';
import { placeKey, placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import type { Service } from '../support/service.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';
import { startStack } from '../support/stack.js';
import { connectTo } from '../support/use-redis.js';

/** A keep-alive client that asks until an answer ends its connection, as every client must. */
async function untilDismissed(replica: Service, replies: Reply[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isOpen = true;
  while (isOpen) {
    const reply = await attempt(replica.url + placePath(1), { agent });
    replies.push(reply);
    isOpen = reply.error === undefined && reply.headers.connection !== 'close';
    await sleep(5);
  }
  agent.destroy();
}

/** Sends SIGTERM, and waits for an orderly end within a time that only a fault can take. */
async function terminate(service: Service, limitMs = 30_000): Promise<void> {
  service.kill('SIGTERM');
  const late = sleep(limitMs, 'still running', { ref: false });
  assert.equal(
    await Promise.race([service.exited, late]),
    0,
    JSON.stringify(service.records.slice(-3)),
  );
}

describe('SIGTERM', () => {
  const stackOf = useStack({ replicas: 0, workers: 0, env: { UPSTREAM_TIMEOUT_MS: '100000' } });

  it('replica: no request of keep-alive clients is lost, and what runs is finished', async () => {
    const stack = stackOf();
    await stack.addWorker();
    const replica = await stack.addReplica({
      ...{ SHUTDOWN_DELAY_MS: '1000', SHUTDOWN_TIMEOUT_MS: '8000' },
    });
    await becomesReady(replica);
    await attempt(replica.url + placePath(1));
    const replies: Reply[] = [];
    const clients = Array.from({ length: 8 }, () => untilDismissed(replica, replies));
    await eventually(() => replies.length > 50, 'a load');

    const ended = terminate(replica);
    await replica.waitFor('shutdown_started');
    assert.equal(await readiness(replica), 503);
    const before = replies.length;
    await eventually(() => replies.length > before, 'answers while others learn of it');
    // Comes while it still serves, and takes longer than half of the time that it is promised.
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 5000 });
    const slow = attempt(replica.url + placePath(2));
    await Promise.all(clients);
    assert.deepEqual(tally(replies), { '200 HIT': replies.length });
    assert.equal((await slow).status, 200);
    await ended;
    assert.equal(replica.of('shutdown_complete').length, 1);
  });

  it('worker: it ends together with its fetch, and one more fetch answers those who wait', async () => {
    const stack = stackOf();
    const [worker] = stack.workers;
    const replicas = [await stack.addReplica(), await stack.addReplica()];
    await Promise.all(replicas.map((replica) => becomesReady(replica)));
    // A greeting has reached both.
    for (const replica of replicas) {
      await workerFetches({ ...stack, url: (path) => replica.url + path });
    }
    stack.upstream.reset();
    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    const waiting = replicas.map(({ url }) => attempt(url + placePath(11)));
    await eventually(() => stack.upstream.count(PATHS.openMeteo) === 1, 'the fetch');
    await terminate(worker!);
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 200);
    assert.equal(stack.upstream.count(PATHS.openMeteo, placeKey(11)), 2);
  });

  it('replica with a worker: it takes no job from the signal on, and what is cut is no error', async () => {
    const stack = stackOf();
    const env = { RUN_WORKER: 'true', SHUTDOWN_DELAY_MS: '500', SHUTDOWN_TIMEOUT_MS: '5000' };
    const [leaving, other] = [await stack.addReplica(env), await stack.addReplica()];
    await Promise.all([leaving, other].map((replica) => becomesReady(replica)));
    await sleep(1500);
    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    const cut = attempt(leaving.url + placePath(31), { headers: { 'x-request-id': 'cut' } });
    await eventually(() => stack.upstream.count(PATHS.openMeteo) === 1, 'the fetch');
    const ended = terminate(leaving);
    await leaving.waitFor('shutdown_started');
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 1000 });
    assert.equal((await attempt(other.url + placePath(32))).status, 200);
    assert.equal(stack.upstream.count(PATHS.openMeteo, placeKey(32)), 1);
    // It has fetched it itself.
    await other.waitFor('fetch');
    await ended;
    await cut;
    const [record] = leaving.of('weather_request').filter(({ request_id: id }) => id === 'cut');
    assert.deepEqual([record?.level, record?.['aborted']], ['INFO', true]);
  });

  it('replica with a worker: it ends in time although a request and Redis hang', async () => {
    const stack = stackOf();
    const env = { RUN_WORKER: 'true', SHUTDOWN_TIMEOUT_MS: '2000' };
    const replica = await stack.addReplica(env);
    await becomesReady(replica);
    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang' });
    const hanging = attempt(replica.url + placePath(21));
    await eventually(() => stack.upstream.count(PATHS.openMeteo) > 0, 'the fetch');
    await stack.redis.kill('SIGSTOP');
    await terminate(replica);
    await stack.redis.kill('SIGCONT');
    assert.notEqual((await hanging).status, 200);
  });

  it('worker and replica that run nothing: a dead Redis does not keep them', async () => {
    const stack = stackOf();
    const env = { SHUTDOWN_TIMEOUT_MS: '100000' };
    const services = [
      await stack.addWorker(env),
      await stack.addReplica({ ...env, RUN_WORKER: 'true' }),
    ];
    await becomesReady(services[1]!);
    await stack.redis.kill('SIGKILL');
    await Promise.all(services.map((service) => service.waitFor('redis_unavailable')));
    await Promise.all(services.map((service) => terminate(service)));
  });
});

const PLACES = [1, 2, 3, 4];

describe('SIGTERM of a replica that runs fetches itself while the provider hangs', () => {
  it('publishes that it has aborted its fetches: no failure of the provider, and others run them', async (t) => {
    const env = { SHUTDOWN_DELAY_MS: '0', SHUTDOWN_TIMEOUT_MS: '1000' };
    const stack = await startStack(t, { replicas: 2, workers: 0, env });
    const [leaving, staying] = stack.replicas;
    const listener = connectTo(t, stack.redis);
    await listener.psubscribe('*');
    const aborted = new Set<string>();
    listener.on('pmessage', (_pattern, _channel, text: string) => {
      const { key, failure, entry } = JSON.parse(text) as Record<string, unknown>;
      if (failure === undefined && entry === undefined) aborted.add(String(key));
    });

    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang', times: PLACES.length });
    const cut = burst(PLACES.map((n) => leaving!.url + placePath(n)));
    await eventually(() => stack.upstream.count(PATHS.openMeteo) === PLACES.length, 'the calls');
    const waiting = burst(PLACES.map((n) => staying!.url + placePath(n)));
    leaving!.kill('SIGTERM');
    await leaving!.exited;
    await cut;

    assert.deepEqual(leaving!.of('upstream_failed'), []);
    assert.deepEqual(leaving!.of('breaker_open'), []);
    await eventually(() => aborted.size === PLACES.length, 'messages about aborted fetches');
    assertOutcomes(await waiting);
    await eventually(() => staying!.of('fetch').length === PLACES.length, 'their records');
  });
});
