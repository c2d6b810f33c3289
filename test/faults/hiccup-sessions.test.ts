import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApart, type Apart } from '../support/apart.js';
import { cookieOf } from '../support/cookies.js';
import { hiccup } from '../support/hiccup.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt, burst } from '../support/load.js';
import { createRandom } from '../support/random.js';
import { SEED } from '../support/seed.js';

/** Few enough that a list has room for all. */
const CITIES = ['Paris', 'Lyon', 'Nice', 'Lille', 'Nantes', 'Toulouse', 'Bordeaux', 'Rennes'];
const CLIENTS = 12;
/** What is written late may take its time; then something is lost. */
const WRITTEN_MS = 2500;
const random = createRandom(SEED);

const pathOf = (city: string) => `/api/v1/weather?city=${city}&country=FR`;

/** A client with the searches that were answered. */
interface Client {
  name: string;
  cookie: string;
  searched: string[];
}

describe('searches that are answered around a hiccup of Redis', () => {
  const lifetime = suiteLifetime();
  let apart: Apart;
  before(async () => {
    apart = await startApart(lifetime, { replicas: 2, workers: 0 });
    const urls = CITIES.map((city) => apart.replicas[0]!.url + pathOf(city));
    for (const { status } of await burst(urls)) assert.equal(status, 200);
  });

  /** At the replica that has the hiccup. */
  async function search(client: Client, city: string): Promise<void> {
    const headers = client.cookie === '' ? {} : { Cookie: client.cookie };
    const reply = await attempt(apart.replicas[0]!.url + pathOf(city), { headers });
    assert.equal(reply.status, 200);
    client.cookie = cookieOf(reply) || client.cookie;
    client.searched.unshift(city);
  }

  /** At the other one: what is there is in Redis. */
  async function missingOf({ name, cookie, searched }: Client): Promise<string[]> {
    const url = `${apart.replicas[1]!.url}/api/v1/recent-searches`;
    const reply = await attempt(url, { headers: { Cookie: cookie } });
    const { recent_searches: list } = reply.json as { recent_searches: { city: string }[] };
    const kept = list.map(({ city }) => city);
    return searched.filter((city) => !kept.includes(city)).map((city) => `${name}: ${city}`);
  }

  for (const lasts of [400, 800]) {
    it(`are all in their lists: ${lasts} ms`, async () => {
      const known: Client[] = [];
      for (let n = 0; n < CLIENTS; n += 1) {
        known.push({ name: `client ${n}`, cookie: '', searched: [] });
        await search(known[n]!, CITIES[0]!);
      }
      await sleep(random.between(0, 1000));
      const newcomers: Client[] = [];
      const until = performance.now() + lasts + 2000;
      const late = hiccup(apart.relays[0]!, lasts, lasts);
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
      const missing = await Promise.all([...known, ...newcomers].map(missingOf));
      assert.deepEqual(missing.flat(), []);
    });
  }

  it('are in a list that another replica gives while the replies of Redis are late', async () => {
    const client: Client = { name: 'client', cookie: '', searched: [] };
    await search(client, CITIES[0]!);
    const late = hiccup(apart.relays[0]!, 800, 800);
    await search(client, CITIES[1]!);
    // By then the replica does not ask Redis.
    await sleep(650);
    await search(client, CITIES[2]!);
    assert.deepEqual(await missingOf(client), []);
    await late;
  });
});
