import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cookieOf, sessionIdOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { attempt, type Reply, tally } from '../support/load.js';
import { names } from '../support/names.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { startRelay } from '../support/relay.js';
import { searchAt } from '../support/searches.js';
import { providersAt, startReplica, type Service } from '../support/service.js';
import { useStack } from '../support/shared-stack.js';
import { startProcesses } from '../support/stack.js';
import { PATHS, startStubProvider } from '../support/stub-provider.js';
import { connectTo } from '../support/use-redis.js';

/** A keep-alive client that sends requests until a response closes its connection. */
async function requestUntilClosed(replica: Service, replies: Reply[]): Promise<void> {
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

/** Sends SIGTERM, and waits for exit code 0. @param limitMs only a fault takes longer */
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

  it('does not lose a request of a keep-alive client, and requests in flight are finished', async () => {
    const stack = stackOf();
    await stack.addWorker();
    const replica = await stack.addReplica({
      ...{ SHUTDOWN_DELAY_MS: '1000', SHUTDOWN_TIMEOUT_MS: '8000' },
    });
    await becomesReady(replica);
    await attempt(replica.url + placePath(1));
    const replies: Reply[] = [];
    const clients = Array.from({ length: 8 }, () => requestUntilClosed(replica, replies));
    await eventually(() => replies.length > 50, 'a load');

    const ended = terminate(replica);
    await replica.waitFor('shutdown_started');
    assert.equal(await readiness(replica), 503);
    assert.equal((await attempt(`${replica.url}/api/v1/health/live`)).status, 200);
    const before = replies.length;
    await eventually(() => replies.length > before, 'responses before the platform notices');
    // It arrives while the replica still serves.
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 3000 });
    const slow = attempt(replica.url + placePath(2));
    await Promise.all(clients);
    assert.deepEqual(tally(replies), { '200 HIT': replies.length });
    assert.equal((await slow).status, 200);
    await ended;
  });

  it('ends a replica with a worker in time although a request and Redis hang', async () => {
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
});

describe('connections without a complete request', () => {
  it('do not delay the shutdown of a replica, and a request in flight is finished', async (t) => {
    const stub = await startStubProvider();
    t.after(() => stub.close());
    const metricsPort = String(await freePort());
    // Without a shutdown that closes them, these connections last for 15 s and longer.
    const env = { METRICS_PORT: metricsPort, SHUTDOWN_TIMEOUT_MS: '100000' };
    const service = await startReplica({ ...providersAt(stub.url), ...env });
    const ports = [Number(new URL(service.url).port), Number(metricsPort)];
    const head = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n';
    const texts = [
      '',
      'GET /api/v1/health/live HTTP/1.1\r\nHost: x\r\nX-Half: ',
      `POST /api/weather HTTP/1.1\r\n${head}{"city":`,
      'GET /api/v1/health/live HTTP/1.1\r\nHost: x\r\n\r\nGET ',
    ];
    for (const port of ports) {
      for (const text of texts) {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined);
        t.after(() => socket.destroy());
        await once(socket, 'connect');
        socket.write(text);
      }
    }
    stub.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 3000 });
    const slow = attempt(service.url + placePath(1));
    await eventually(() => stub.count(PATHS.openMeteo) === 1, 'the call');
    await terminate(service, 12_000);
    assert.equal((await slow).status, 200);
    assert.deepEqual(service.noise, []);
  });
});

describe('a replica that receives SIGTERM while Redis is unavailable', () => {
  it('records the searches that it has answered', async (t) => {
    const redis = await startRedis();
    const relay = await startRelay(t, redis.port);
    const { replicas } = await startProcesses(t, {
      ...{ replicas: 1, workers: 0, store: redis },
      env: { REDIS_URL: `redis://127.0.0.1:${relay.port}`, SHUTDOWN_DELAY_MS: '500' },
    });
    const [replica] = replicas;
    await becomesReady(replica!);
    const cookie = cookieOf(await searchAt(replica!.url, 'Paris'));
    replica!.kill('SIGTERM');
    await replica!.waitFor('shutdown_started');
    relay.cut();
    assert.equal((await searchAt(replica!.url, 'Berlin', { cookie })).status, 200);
    const isClosed = async () => (await attempt(replica!.url)).status === 0;
    await eventually(isClosed, 'the end of the server');
    relay.mend();
    assert.equal(await replica!.exited, 0);
    const stored = await connectTo(t, redis).get(names.session(sessionIdOf(cookie)));
    assert.match(String(stored), /Berlin/);
  });
});
