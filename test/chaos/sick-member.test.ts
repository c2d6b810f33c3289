import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shiftedClock } from '../support/clock-shift.js';
import { assertOutcomes, startLoad, tally, type Reply } from '../support/load.js';
import { placePath } from '../support/places.js';
import { freePort } from '../support/redis-server.js';
import { providersAt, type Service } from '../support/service.js';
import { startStack } from '../support/stack.js';
import { PATHS, startStubProvider } from '../support/stub-provider.js';

/** Two healthy replicas under load beside a sick one. Prints how long their clients wait. */

const LOAD_MS = 20_000;
const CLIENTS = 12;
const WARM_PLACES = 30;

/** A sick replica: its variables, and what happens to it while it runs. */
interface Sickness {
  env?: (t: TestContext) => Promise<Record<string, string>> | Record<string, string>;
  /** Runs beside the load until it aborts. */
  act?: (replica: Service, signal: AbortSignal) => Promise<void>;
}

const SICKNESSES: Record<string, Sickness> = {
  'nothing is wrong': {},
  'it reaches no provider': {
    env: async () => providersAt(`http://127.0.0.1:${await freePort()}`),
  },
  'the packets to its providers are swallowed': {
    async env(t) {
      const provider = await startStubProvider();
      t.after(() => provider.close());
      provider.behaveAll({ kind: 'hang' });
      return providersAt(provider.url);
    },
  },
  'a provider has blocked it': {
    async env(t) {
      const provider = await startStubProvider();
      t.after(() => provider.close());
      provider.behave(PATHS.openMeteo, { kind: 'status', status: 403, body: 'Forbidden' });
      return providersAt(provider.url);
    },
  },
  'its clock is two hours ahead': { env: () => shiftedClock('+7200') },
  'its clock is two hours behind': { env: () => shiftedClock('-7200') },
  'it is stopped for half of the time': {
    async act(replica, signal) {
      while (!signal.aborted) {
        replica.kill('SIGSTOP');
        await sleep(1000);
        replica.kill('SIGCONT');
        await sleep(1000);
      }
    },
  },
  'it has half of the memory': { env: () => ({ NODE_OPTIONS: '--max-old-space-size=128' }) },
};

const percentile = (sorted: number[], share: number) =>
  Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);

/** Describes the responses: `1200 requests: 200 1200, p50 3, p99 40, slowest 210 ms`. */
function summaryOf(replies: Reply[]): string {
  const times = replies.map(({ ms }) => ms).sort((a, b) => a - b);
  const [p50, p99, slowest] = [0.5, 0.99, 1].map((share) => percentile(times, share));
  const statuses = JSON.stringify(tally(replies));
  return `${replies.length} requests: ${statuses}, p50 ${p50}, p99 ${p99}, slowest ${slowest} ms`;
}

describe('the clients of two healthy replicas lose nothing by a third one', () => {
  for (const [name, { env, act }] of Object.entries(SICKNESSES)) {
    it(name, async (t) => {
      const stack = await startStack(t, {
        ...{ replicas: 2, workers: 0 },
        env: { CACHE_TTL_SECONDS: '5', UPSTREAM_TIMEOUT_MS: '3000', PROVIDER_BUDGETS: '' },
      });
      const healthy = [...stack.replicas];
      const sick = await stack.addReplica({ REDIS_URL: stack.redis.url, ...(await env?.(t)) });
      const ending = new AbortController();
      const acting = act?.(sick, ending.signal);
      const load = startLoad(t, {
        clients: CLIENTS,
        // Every seventh request is for a new place.
        next: (n) => healthy[n % 2]!.url + placePath(n % 7 === 0 ? 1000 + n : n % WARM_PLACES),
      });
      await sleep(LOAD_MS);
      const replies = await load.stop();
      ending.abort();
      await acting;
      t.diagnostic(`${name}: ${summaryOf(replies)}`);
      assertOutcomes(replies);
    });
  }
});
