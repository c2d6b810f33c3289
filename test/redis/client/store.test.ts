import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { noInstruments } from '../../../src/process/instruments.js';
import type { Logger } from '../../../src/process/log.js';
import { connect } from '../../../src/redis/client/connection.js';
import {
  createRedisStore,
  type RedisClient,
  type RedisStore,
} from '../../../src/redis/client/store.js';
import { createNames } from '../../../src/redis/names.js';
import { eventually } from '../../support/eventually.js';
import { hiccup } from '../../support/hiccup.js';
import { startRedis } from '../../support/redis-server.js';
import { startRelay } from '../../support/relay.js';
import { useRedis } from '../../support/use-redis.js';

const NODES = [
  { host: '127.0.0.1', port: 1, aheadMs: 0, slots: [0, 8191] },
  { host: '127.0.0.1', port: 2, aheadMs: 300_000, slots: [8192, 16_383] },
] as const;

/** A cluster of two masters whose clocks are five minutes apart, as its client shows it. */
function unevenCluster(): { client: Cluster; probes: number[] } {
  const probes = [0, 0];
  const slots: string[][] = [];
  for (const {
    host,
    port,
    slots: [from, to],
  } of NODES) {
    for (let slot: number = from; slot <= to; slot += 1) slots[slot] = [`${host}:${port}`];
  }
  const nodes = NODES.map(({ host, port, aheadMs }, index) => ({
    options: { host, port },
    status: 'ready',
    stream: { bytesRead: 0, cork: () => undefined, uncork: () => undefined },
    commandQueue: [],
    async eval() {
      probes[index]! += 1;
      // Now the one answers last, now the other.
      if (probes[index]! % 2 === index) await sleep(5);
      const now = Date.now() + aheadMs;
      return [String(Math.floor(now / 1000)), String((now % 1000) * 1000)];
    },
  }));
  const client = Object.assign(Object.create(Cluster.prototype) as object, {
    slots,
    nodes: () => nodes,
    on: EventEmitter.prototype.on.bind(new EventEmitter()),
    disconnect: () => undefined,
  });
  return { client: client as unknown as Cluster, probes };
}

const log = { warn: () => undefined, info: () => undefined } as unknown as Logger;

function storeOf(t: TestContext, client: RedisClient, instruments = noInstruments): RedisStore {
  const names = createNames('weather', 0);
  const store = createRedisStore({ client, names, log, instruments });
  t.after(() => {
    store.close();
  });
  return store;
}

const redis = useRedis();

/** A store that has reached Redis. */
async function connectedStore(t: TestContext, url = redis.url): Promise<RedisStore> {
  const store = storeOf(t, connect({ kind: 'single', url }, 'requests'));
  await eventually(() => store.isUp, 'a connection');
  return store;
}

describe('a client that has given up', () => {
  it('is connected again', async (t) => {
    const store = await connectedStore(t);
    const { client } = store;
    // What the library does to itself.
    client.disconnect();
    await once(client, 'end');
    await eventually(() => client.status === 'ready', 'another connection', 5000);
    await eventually(() => store.isWritable('key'), 'its use');
  });
});

describe('a connection whose replies are late once', () => {
  it('is kept, however many commands wait for them', async (t) => {
    const relay = await startRelay(t, Number(new URL(redis.url).port));
    const store = await connectedStore(t, `redis://127.0.0.1:${relay.port}`);
    const late = hiccup(relay, 800, 200);
    const replies: Promise<string>[] = [];
    for (let n = 0; n < 30; n += 1) {
      const time = { storeMs: 2000, insists: true } as const;
      replies.push(store.run('key', (client) => client.echo('reply'), time));
      await sleep(25);
    }
    await late;
    assert.deepEqual(new Set(await Promise.all(replies)), new Set(['reply']));
  });
});

describe('a script that Redis has forgotten', () => {
  it('is sent again', async (t) => {
    const store = await connectedStore(t);
    const answers: Promise<unknown>[] = [];
    const answer = await store.run('key', (redis) => {
      const sent = answers.length === 0 ? redis.evalsha('0'.repeat(40), 0) : redis.echo('known');
      answers.push(sent);
      return sent;
    });
    assert.equal(answer, 'known');
    await assert.rejects(answers[0]!, /NOSCRIPT/);
  });
});

describe('probes of a Redis that refuses writes', () => {
  it('are no more often for more commands', async (t) => {
    const store = await connectedStore(t);
    const probes = async () => {
      const stats = await redis.client.info('commandstats');
      return Number(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1]);
    };
    await redis.client.config('SET', 'min-replicas-to-write', '1');
    const [before, began] = [await probes(), performance.now()];
    for (let n = 0; n < 300; n += 1) {
      await assert.rejects(
        store.run('key', (client) => client.set('key', '')),
        /NOREPLICAS/,
      );
      await sleep(1);
    }
    const most = (performance.now() - began) / 90 + 2;
    const made = (await probes()) - before;
    await redis.client.config('SET', 'min-replicas-to-write', '0');
    assert.ok(made <= most, `${made} probes, expected ${most} at most`);
  });
});

describe('the clock of a cluster whose nodes’ clocks differ', () => {
  it('is that of one node, whichever answered last', async (t) => {
    const { client, probes } = unevenCluster();
    const store = storeOf(t, client);
    const offsets = new Set<number>();
    await eventually(() => {
      if (Math.min(...probes) > 0) {
        offsets.add(Math.round((store.now() - Date.now()) / 10_000));
      }
      return Math.min(...probes) >= 5;
    }, 'probes of both nodes');
    assert.equal(offsets.size, 1, [...offsets].join(', '));
  });
});

describe('a Redis that is silent, then killed', () => {
  it('is silent until a connection is refused', async (t) => {
    const told = new Set<string | undefined>();
    const redisUnavailable = (fault?: { detail?: string; reason: string }) =>
      fault && told.add(fault.detail ?? fault.reason);
    const server = await startRedis();
    t.after(() => server.stop());
    const client = connect({ kind: 'single', url: server.url }, 'requests');
    const instruments = { ...noInstruments, redisUnavailable } as typeof noInstruments;
    const store = storeOf(t, client, instruments);
    await eventually(() => store.isUp, 'a connection');
    await server.kill('SIGSTOP');
    await once(client, 'close');
    await once(client, 'error');
    await server.kill('SIGKILL');
    await eventually(() => told.has('ECONNREFUSED'), 'a refused connection');
    assert.deepEqual([...told], ['no_answer', 'ECONNREFUSED']);
  });
});
