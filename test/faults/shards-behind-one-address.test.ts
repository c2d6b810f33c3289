import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { anyClient } from '../support/http-client.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt, tally } from '../support/load.js';
import { administer, startRedis } from '../support/redis-server.js';
import { becomesReady } from '../support/readiness.js';
import { startProcesses, type Processes } from '../support/stack.js';

const CLIENTS = 8;
const PER_IP = 10;
const CITIES = ['Paris', 'Lyon', 'Nice', 'Lille'];
/** Each client's window lies on its own shard. */
const ENV = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(PER_IP), RATE_LIMIT_TOTAL: '0' };

describe('one address in front of shards', () => {
  const lifetime = suiteLifetime();
  let processes: Processes;
  before(async () => {
    // It owns all slots, so it sends nobody elsewhere, and refuses keys of several of them.
    const redis = await startRedis({ args: ['--cluster-enabled', 'yes'] });
    const isServing = async (): Promise<boolean> => {
      const info = administer(redis, (client) => client.call('CLUSTER', 'INFO'));
      return String(await info).includes('cluster_state:ok');
    };
    await administer(redis, (client) => client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383'));
    await eventually(isServing, 'a Redis that serves all slots');
    const env = { REDIS_URL: redis.url, ...ENV };
    processes = await startProcesses(lifetime, { replicas: 2, workers: 1, env, store: redis });
    for (const replica of processes.replicas) await becomesReady(replica);
  });

  it('has exact limits, and sessions, over all replicas, and is told once', async () => {
    const { replicas, url } = processes;
    const cookies = Array<string>(CLIENTS).fill('');
    const search = async (client: number, n: number) => {
      const headers = { ...anyClient(client), ...(cookies[client] && { Cookie: cookies[client] }) };
      const path = `/api/v1/weather?country=FR&city=${CITIES[n % CITIES.length]!}`;
      const reply = await attempt(url(path), { headers });
      cookies[client] ||= cookieOf(reply);
      return { client, reply };
    };
    const all = Array.from({ length: CLIENTS }, (_, client) => client);
    const first = await Promise.all(all.map((client) => search(client, 0)));
    const others = await Promise.all(
      Array.from({ length: 2 * PER_IP }, (_, n) => all.map((client) => search(client, n))).flat(),
    );
    for (const client of all) {
      const own = [...first, ...others].filter((asked) => asked.client === client);
      const statuses = own.map(({ reply }) => reply.status);
      assert.equal(statuses.filter((status) => status === 200).length, PER_IP);
      assert.equal(statuses.filter((status) => status === 429).length, PER_IP + 1);
      const headers = { Cookie: cookies[client]!, ...anyClient(client) };
      const reply = await attempt(url('/api/v1/recent-searches'), { headers });
      const { recent_searches: list } = reply.json as { recent_searches: { city: string }[] };
      assert.deepEqual(list.map(({ city }) => city).sort(), [...CITIES].sort(), reply.text);
    }
    assert.deepEqual(
      replicas.map((replica) => replica.of('redis_has_slots').length),
      [1, 1],
      JSON.stringify(tally(others.map(({ reply }) => reply))),
    );
  });
});
