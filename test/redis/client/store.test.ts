import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, type Redis } from 'ioredis';
import { pino } from 'pino';
import { LateReplyError, StoreUnavailableError } from '../../../src/errors.js';
import { noInstruments } from '../../../src/process/instruments.js';
import { connect } from '../../../src/redis/client/connection.js';
import type { RedisClient } from '../../../src/redis/client/connection.js';
import type { RedisStore } from '../../../src/redis/client/port.js';
import { createRedisStore } from '../../../src/redis/client/store.js';
import { createNames } from '../../../src/redis/names.js';
import { eventually } from '../../support/eventually.js';
import { delayReplies } from '../../support/transient-delay.js';
import { systemClock } from '../../support/manual-clock.js';
import { startRedis } from '../../support/redis-server.js';
import { startRelay } from '../../support/relay.js';
import { useRedis } from '../../support/use-redis.js';

const NODES = [
  { host: '127.0.0.1', port: 1, aheadMs: 0, slots: [0, 8191] },
  { host: '127.0.0.1', port: 2, aheadMs: 300_000, slots: [8192, 16_383] },
] as const;

/** The client of a cluster of two masters whose clocks are five minutes apart. */
function unevenCluster(): { client: Cluster; checks: number[] } {
  const checks = [0, 0];
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
    async eval(_script: string, count: number, ...rest: string[]) {
      checks[index]! += 1;
      // The two alternate in replying last.
      if (checks[index]! % 2 === index) await sleep(5);
      const now = Date.now() + aheadMs;
      return [rest[count], String(Math.floor(now / 1000)), String((now % 1000) * 1000), ''];
    },
  }));
  const client = Object.assign(Object.create(Cluster.prototype) as object, {
    slots,
    nodes: () => nodes,
    on: EventEmitter.prototype.on.bind(new EventEmitter()),
    disconnect: () => undefined,
  });
  return { client: client as unknown as Cluster, checks };
}

const log = pino({ enabled: false });

function storeOf(t: TestContext, client: RedisClient, instruments = noInstruments): RedisStore {
  const names = createNames('weather', 0);
  const store = createRedisStore({ client, names, log, instruments, clock: systemClock });
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

describe('a client that has stopped reconnecting', () => {
  it('is connected again', async (t) => {
    const store = await connectedStore(t);
    const { client } = store;
    // The library does this after a failed reconnection.
    client.disconnect();
    await once(client, 'end');
    await eventually(() => client.status === 'ready', 'another connection', 5000);
    await eventually(() => store.isWritable('key'), 'its use');
  });
});

describe('patient commands', () => {
  it('wait for replies that are late once, over the same connection', async (t) => {
    const relay = await startRelay(t, Number(new URL(redis.url).port));
    const store = await connectedStore(t, `redis://127.0.0.1:${relay.port}`);
    const late = delayReplies(relay, 500, 200);
    const replies: Promise<string>[] = [];
    for (let n = 0; n < 20; n += 1) {
      replies.push(store.run('key', (client) => client.echo('reply'), { patient: true }));
      await sleep(25);
    }
    await late;
    assert.deepEqual(new Set(await Promise.all(replies)), new Set(['reply']));
    assert.equal(relay.accepted(), 1);
  });

  it('are sent again after their connection is lost', async (t) => {
    const relay = await startRelay(t, Number(new URL(redis.url).port));
    const store = await connectedStore(t, `redis://127.0.0.1:${relay.port}`);
    relay.hold();
    const reply = store.run('key', (client) => client.echo('reply'), { patient: true });
    await sleep(50);
    relay.cut();
    relay.mend();
    assert.equal(await reply, 'reply');
  });

  it('are sent again while Redis loads its data', async (t) => {
    const store = await connectedStore(t);
    let sent = 0;
    const command = (client: RedisClient) => {
      sent += 1;
      if (sent > 2) return client.echo('reply');
      return client.eval('return redis.error_reply("LOADING Redis is loading")', 0);
    };
    assert.equal(await store.run('key', command, { patient: true }), 'reply');
    assert.equal(sent, 3);
  });

  it('fail after a second without a reply', async (t) => {
    const relay = await startRelay(t, Number(new URL(redis.url).port));
    const store = await connectedStore(t, `redis://127.0.0.1:${relay.port}`);
    relay.hold();
    const began = performance.now();
    const reply = store.run('key', (client) => client.echo('reply'), { patient: true });
    await assert.rejects(reply, StoreUnavailableError);
    assert.ok(performance.now() - began >= 850);
  });

  for (const [what, command] of [
    ['rejects them', 'return redis.call("NOSUCHCOMMAND")'],
    ['is read-only', 'return redis.error_reply("READONLY You can\'t write")'],
    ['is out of memory', 'return redis.error_reply("OOM command not allowed")'],
  ] as const) {
    it(`fail at once if Redis ${what}`, async (t) => {
      const store = await connectedStore(t);
      let sent = 0;
      const reply = store.run(
        'key',
        (client) => {
          sent += 1;
          return client.eval(command, 0);
        },
        { patient: true },
      );
      await assert.rejects(reply, StoreUnavailableError);
      assert.equal(sent, 1);
    });
  }
});

describe('a command without a reply', () => {
  it('waits 250 ms, and later commands fail at once until the replies arrive', async (t) => {
    const relay = await startRelay(t, Number(new URL(redis.url).port));
    const store = await connectedStore(t, `redis://127.0.0.1:${relay.port}`);
    let sent = 0;
    const echo = () =>
      store.run('key', (client) => {
        sent += 1;
        return client.echo('reply');
      });
    relay.hold();
    await assert.rejects(echo(), LateReplyError);
    for (let n = 0; n < 10; n += 1) await assert.rejects(echo(), StoreUnavailableError);
    assert.equal(sent, 1);
    relay.release();
    await eventually(() => store.isWritable('key'), 'the use of Redis');
    assert.equal(await echo(), 'reply');
    assert.equal(relay.accepted(), 1);
  });

  it('fails at once if its connection is lost, and is not sent again', async (t) => {
    const store = await connectedStore(t);
    const reply = store.run('key', async (client) => {
      const counting = client.eval("redis.call('INCR', KEYS[1]) while true do end", 1, 'count');
      (client as Redis).stream.destroy();
      return counting;
    });
    await assert.rejects(reply, LateReplyError);
    await eventually(() => store.isWritable('key'), 'another connection');
  });
});

describe('a script that Redis no longer has', () => {
  it('is sent again', async (t) => {
    const store = await connectedStore(t);
    const script = store.script('testForgotten', 'return ARGV[1]');
    assert.equal(await script(['key'], ['first']), 'first');
    await redis.client.call('SCRIPT', 'FLUSH');
    assert.equal(await script(['key'], ['second']), 'second');
  });
});

describe('the clock of a cluster whose nodes’ clocks differ', () => {
  it('is that of one node, whichever replied last', async (t) => {
    const { client, checks } = unevenCluster();
    const store = storeOf(t, client);
    const offsets = new Set<number>();
    await eventually(() => {
      if (Math.min(...checks) > 0) {
        offsets.add(Math.round((store.now() - Date.now()) / 10_000));
      }
      return Math.min(...checks) >= 5;
    }, 'checks of both nodes');
    assert.equal(offsets.size, 1, [...offsets].join(', '));
  });
});

describe('a Redis that hangs and is then killed', () => {
  it('is reported as no_reply, then as no_connection', async (t) => {
    const shown: (string | undefined)[] = [];
    const redisUnavailable = (fault?: { reason: string }) => shown.push(fault?.reason);
    const server = await startRedis();
    t.after(() => server.stop());
    const client = connect({ kind: 'single', url: server.url }, 'requests');
    const store = storeOf(t, client, { ...noInstruments, redisUnavailable });
    await eventually(() => store.isUp, 'a connection');
    await server.kill('SIGSTOP');
    await once(client, 'close');
    await eventually(() => shown.length > 0, 'a report');
    await server.kill('SIGKILL');
    await eventually(() => shown.length > 1, 'another report');
    await server.restart();
    await eventually(() => shown.length > 2, 'a recovery');
    assert.deepEqual(shown, ['no_reply', 'no_connection', undefined]);
  });
});

describe('a surplus reply', () => {
  it('costs the reply of one command, and is not reported', async (t) => {
    const faults: unknown[] = [];
    const redisUnavailable = (fault: unknown) => faults.push(fault);
    const client = connect({ kind: 'single', url: redis.url }, 'requests');
    const store = storeOf(t, client, { ...noInstruments, redisUnavailable });
    await eventually(() => store.isUp, 'a connection');
    const echo = (text: string) => store.run('key', (client) => client.echo(text));
    const first = echo('first');
    (client as Redis).stream.emit('data', Buffer.from('+surplus\r\n'));
    assert.equal(await first, 'surplus');
    await sleep(1500);
    assert.equal(await echo('second'), 'second');
    assert.deepEqual(faults, []);
  });
});
