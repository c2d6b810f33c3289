import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../support/load.js';
import { createRandom } from '../support/random.js';
import { nthPlace, placePath } from '../support/places.js';
import type { Fleet } from './fleet.js';
import type { Judge, Question } from './judge.js';

const CLIENTS = 12;
const PAUSE_MS = 60;
const PLACES = 30;
const CITIES = ['city=London&country=UK', 'city=Munich&country=DE', 'city=Tokyo&country=JP'];
const LIMITED_ADDRESS = '203.0.113.7';

/** Clients that send all kinds of requests, each over its own connection, until they are stopped. */
export function startClients(fleet: Fleet, judge: Judge, seed: number): { stop(): Promise<void> } {
  let stopping = false;
  let cold = 1000;

  function questionOf(random: ReturnType<typeof createRandom>): Omit<Question, 'replica'> {
    const kind = random.weighted<Question['kind']>([
      [50, 'place'],
      [10, 'city'],
      [12, 'cold'],
      [12, 'limited'],
      [8, 'searches'],
      [3, 'invalid'],
      [2, 'live'],
      [3, 'ready'],
    ]);
    switch (kind) {
      case 'place':
      case 'limited':
      case 'cold': {
        const n = kind === 'cold' ? (cold += 1) : random.between(0, PLACES - 1);
        return { kind, path: placePath(n), point: nthPlace(n) };
      }
      case 'city':
        return { kind, path: `/api/v1/weather?${random.pick(CITIES)}` };
      case 'searches':
        return { kind, path: '/api/v1/recent-searches' };
      case 'invalid':
        return {
          kind,
          path: `/api/v1/weather?city=${random.pick(['', '1', '..', '%00'])}&country=UK`,
        };
      case 'live':
        return { kind, path: '/api/v1/health/live' };
      case 'ready':
        return { kind, path: '/api/v1/health/ready' };
    }
  }

  async function client(number: number): Promise<void> {
    const random = createRandom(seed + number);
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    let cookie: string | undefined;
    let address = 0;
    while (!stopping) {
      const replica = fleet.replicas[random.between(0, 999) % fleet.replicas.length];
      if (!replica) {
        await sleep(PAUSE_MS);
        continue;
      }
      const question = { ...questionOf(random), replica };
      address += 1;
      const from =
        question.kind === 'limited'
          ? LIMITED_ADDRESS
          : `10.${number}.${Math.floor(address / 250) % 250}.${address % 250}`;
      const headers = { 'X-Forwarded-For': from, ...(cookie && { cookie }) };
      const reply = await attempt(replica.url + question.path, {
        headers,
        agent,
        timeoutMs: 60_000,
      });
      cookie = reply.cookies[0]?.split(';')[0] ?? cookie;
      judge.reply(question, reply);
      await sleep(PAUSE_MS * 2 * random.next());
    }
    agent.destroy();
  }

  const running = Array.from({ length: CLIENTS }, (_, n) => client(n + 1));
  return {
    async stop() {
      stopping = true;
      await Promise.all(running);
    },
  };
}
