import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyClient } from '../support/http-client.js';
import { attempt, type Reply } from '../support/load.js';
import { nthPlace, placePath } from '../support/places.js';
import { createRandom, type Random } from '../support/random.js';
import { searchPath } from '../support/searches.js';
import type { Service } from '../support/service.js';
import { stubWeather } from '../support/stub-provider-weather.js';
import { REQUEST_TIMEOUT_MS, type Fleet } from './fleet.js';

interface Question {
  path: string;
  statuses: number[];
  /** The place, if the response must have its weather. */
  place?: number;
}

const CLIENTS = 12;
const PAUSE_MS = 60;
const PLACES = 30;
/** Milliseconds that a response may be late because the machine is busy. */
const OVERHEAD_MS = 4000;

/** Clients that send all kinds of requests, each over its own connections, until they stop. */
export function startClients(fleet: Fleet, seed: number) {
  let isStopping = false;
  let cold = 1000;
  let sent = 0;
  const violations: string[] = [];
  /** The paths of places in the near cache of a replica. */
  const cached = new WeakMap<Service, Set<string>>();

  function questionOf(random: Random): Question {
    const ofPlace = (place: number) => ({ path: placePath(place), statuses: [200, 503], place });
    return random.weighted<Question>([
      [60, ofPlace(random.between(0, PLACES - 1))],
      [12, ofPlace((cold += 1))],
      [10, { path: searchPath(random.pick(['Berlin', 'Munich', 'Kiel'])), statuses: [200, 503] }],
      [8, { path: '/api/v1/recent-searches', statuses: [200, 503] }],
      [3, { path: '/api/v1/weather?city=..&country=UK', statuses: [400] }],
      [2, { path: '/api/v1/health/live', statuses: [200] }],
      [3, { path: '/api/v1/health/ready', statuses: [200, 503] }],
    ]);
  }

  function check({ path, statuses, place }: Question, replica: Service, reply: Reply): void {
    const { status, ms, json, text } = reply;
    if (status === 0 && fleet.killed.has(replica)) return;
    const what = `${path}: ${status} after ${Math.round(ms)} ms ${reply.error ?? text}`;
    assert.ok(statuses.includes(status), what);
    assert.ok(ms <= REQUEST_TIMEOUT_MS + OVERHEAD_MS, what);
    if (place === undefined) return;
    const known = cached.get(replica) ?? new Set();
    assert.ok(status === 200 || !known.has(path), `${what}, although it is cached`);
    if (status !== 200) return;
    cached.set(replica, known.add(path));
    const { latitude, longitude } = nthPlace(place);
    const { temperature } = stubWeather(latitude, longitude);
    assert.equal((json as { temperature: number }).temperature, temperature, what);
  }

  async function client(number: number): Promise<void> {
    const random = createRandom(seed + number);
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    let cookie = '';
    while (!isStopping) {
      await sleep(PAUSE_MS * 2 * random.next());
      const replica = random.pick(fleet.replicas);
      const question = questionOf(random);
      const headers = { ...anyClient((sent += 1)), ...(cookie && { cookie }) };
      const reply = await attempt(replica.url + question.path, { headers, agent });
      cookie = reply.cookies[0]?.split(';')[0] ?? cookie;
      try {
        check(question, replica, reply);
      } catch (error) {
        violations.push((error as Error).message);
      }
    }
    agent.destroy();
  }

  const running = Array.from({ length: CLIENTS }, (_, n) => client(n + 1));
  return {
    violations,
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}
