import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  startBehindRelays,
  type ProcessesBehindRelays,
} from '../support/processes-behind-relays.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { delayReplies } from '../support/transient-delay.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt, burst } from '../support/load.js';
import { createRandom } from '../support/random.js';
import { SEED } from '../support/seed.js';

/** Few enough that a list has room for all. */
const CITIES = ['Paris', 'Lyon', 'Nice', 'Lille', 'Nantes', 'Toulouse', 'Bordeaux', 'Rennes'];
const CLIENTS = 12;
/** Pending recordings are written by then, or dropped. */
const WRITTEN_MS = 2500;
const random = createRandom(SEED);

const PATH = '/api/v1/recent-searches';
const pathOf = (city: string) => `/api/v1/weather?city=${city}&country=FR`;

/** A client with the searches that were answered, newest first. */
interface Client {
  name: string;
  cookie: string;
  searched: string[];
}

describe('searches that are answered around a transient delay of Redis', () => {
  const lifetime = suiteLifetime();
  let apart: ProcessesBehindRelays;
  before(async () => {
    apart = await startBehindRelays(lifetime, {
      ...{ replicas: 2, workers: 0, env: { SHUTDOWN_DELAY_MS: '500' } },
    });
    const urls = CITIES.map((city) => apart.replicas[0]!.url + pathOf(city));
    for (const { status } of await burst(urls)) assert.equal(status, 200);
  });

  /** At the replica whose connection is delayed. */
  async function search(client: Client, city: string): Promise<void> {
    const headers = client.cookie === '' ? {} : { Cookie: client.cookie };
    const reply = await attempt(apart.replicas[0]!.url + pathOf(city), { headers });
    assert.equal(reply.status, 200);
    client.cookie = cookieOf(reply) || client.cookie;
    client.searched.unshift(city);
  }

  /** A client that has a session: while Redis is unavailable, no cookie is issued. */
  async function startClient(name: string): Promise<Client> {
    const client: Client = { name, cookie: '', searched: [] };
    await eventually(async () => {
      await search(client, CITIES[0]!);
      return client.cookie !== '';
    }, 'a session');
    return { ...client, searched: [CITIES[0]!] };
  }

  const recentSearches = (replica: number, { cookie }: Client, method = 'GET') =>
    attempt(apart.replicas[replica]!.url + PATH, { method, headers: { Cookie: cookie } });

  /** The list of the other replica. */
  async function listOf(client: Client): Promise<string[]> {
    const reply = await recentSearches(1, client);
    const { recent_searches: list } = reply.json as { recent_searches: { city: string }[] };
    return list.map(({ city }) => city);
  }

  async function missingOf(client: Client): Promise<string[]> {
    const list = await listOf(client);
    const missing = client.searched.filter((city) => !list.includes(city));
    return missing.map((city) => `${client.name}: ${city}`);
  }

  for (const lasts of [400, 800]) {
    it(`are all in their lists: ${lasts} ms`, async () => {
      const known: Client[] = [];
      for (let n = 0; n < CLIENTS; n += 1) known.push(await startClient(`client ${n}`));
      await sleep(random.between(0, 1000));
      const newcomers: Client[] = [];
      const until = performance.now() + lasts + 2000;
      const late = delayReplies(apart.relays[0]!, lasts, lasts);
      const running = known.map(async (client) => {
        await sleep(random.between(0, 300));
        for (const city of CITIES.slice(1)) {
          if (performance.now() < until) await search(client, city);
          await sleep(300);
        }
      });
      while (performance.now() < until) {
        const newcomer = { name: `newcomer ${newcomers.length}`, cookie: '', searched: [] };
        newcomers.push(newcomer);
        running.push(search(newcomer, random.pick(CITIES)));
        await sleep(50);
      }
      await Promise.all([late, ...running]);
      await sleep(WRITTEN_MS);
      const withSession = newcomers.filter(({ cookie }) => cookie !== '');
      const missing = await Promise.all([...known, ...withSession].map(missingOf));
      assert.deepEqual(missing.flat(), []);
    });
  }

  it('are in the list of another replica, though what the first one sends is 30 ms late', async (t) => {
    const client = await startClient('client');
    const [relay] = apart.relays;
    t.after(() => {
      relay!.delaySentBy(0);
    });
    relay!.delaySentBy(30);
    for (const city of CITIES.slice(1)) {
      await search(client, city);
      assert.deepEqual(await listOf(client), client.searched);
    }
  });

  for (const method of ['GET', 'DELETE']) {
    it(`do not fail while a list or DELETE waits: ${method}`, async () => {
      const client = await startClient('client');
      const late = delayReplies(apart.relays[0]!, 500, 500);
      const reply = await recentSearches(0, client, method);
      await late;
      assert.equal(reply.status, 200, reply.text);
    });
  }

  it('are recorded although the replica shuts down while Redis is unavailable', async () => {
    const client = await startClient('client');
    const [replica] = apart.replicas;
    replica!.kill('SIGTERM');
    await replica!.waitFor('shutdown_started');
    apart.relays[0]!.cut();
    await search(client, CITIES[1]!);
    const isClosed = async () => (await attempt(replica!.url + PATH)).status === 0;
    await eventually(isClosed, 'the end of the server');
    apart.relays[0]!.mend();
    assert.equal(await replica!.exited, 0);
    assert.deepEqual(await listOf(client), client.searched);
  });
});
