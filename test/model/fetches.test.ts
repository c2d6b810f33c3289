import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { loadConfig } from '../../src/config/config.js';
import { createMemoryCache } from '../../src/memory/memory-cache.js';
import { createMessageRouter } from '../../src/redis/fetching/fetch-messages.js';
import { createJobProcessor } from '../../src/redis/fetching/fetch-worker.js';
import { createSlots } from '../../src/redis/fetching/slots.js';
import { createRedisSharedCache } from '../../src/redis/fetching/redis-shared-cache.js';
import { createSharedEntries } from '../../src/redis/fetching/shared-entries.js';
import { createNames } from '../../src/redis/names.js';
import { createFetcher, register } from '../../src/weather/fetch.js';
import { POSITION } from '../../src/weather/kinds/position.js';
import { createLookup } from '../../src/weather/lookup.js';
import { createRandom } from '../support/random.js';
import { useRedis } from '../support/use-redis.js';
import { forEachSeed } from './interleavings.js';
import { createJobQueue, SLOTS } from './job-queue.js';
import { createNetwork, type NetworkFaults } from './network.js';
import { createVirtualTime } from './virtual-time.js';

const REPLICAS = 3;
const REQUESTS = 12;
const PLACES = 3;
/** Virtual milliseconds within which the requests arrive. */
const SPREAD_MS = 4000;
const TTL = { freshMs: 600_000, staleMs: 0 };
const log = pino({ enabled: false });
const config = loadConfig({});

interface Scenario {
  /** Whether each replica runs a worker. If not, up to two processes do; their queue may pause. */
  hasWorkers: boolean;
  /** Faults of commands and replies. */
  faults: NetworkFaults;
  /** Probability that a process does not receive a message (pub/sub). */
  lostMessages: number;
  /** What happens to one process during the requests. */
  incident?: 'dies' | 'loses Redis';
  /** Maximum duration of a call to the provider in milliseconds. */
  maxCallMs: number;
  /** Maximum wait of a request in milliseconds, in addition to the call. */
  maxWaitMs: number;
  /** Maximum number of calls to the provider for one place, in all processes together. */
  maxCalls: number;
  /** The same in one process. A result that does not reach Redis is fetched again. */
  maxCallsPerProcess: number;
  /** Maximum number of different results for one place. */
  maxResults: number;
}

const HEALTHY = { lost: 0, duplicated: 0, late: 0 };
const UNRELIABLE = { lost: 0.1, duplicated: 0.1, late: 0.05 };
const SCENARIOS: (Scenario & { title: string })[] = [
  {
    title: 'by one call per place, if only messages are lost',
    hasWorkers: true,
    faults: HEALTHY,
    lostMessages: 0.3,
    maxCallMs: 9000,
    // The message is lost, so the next read finds the entry.
    maxWaitMs: 2000,
    maxCalls: 1,
    maxCallsPerProcess: 1,
    maxResults: 1,
  },
  {
    title: 'by one call per replica at most, if there is no worker or if none takes jobs',
    hasWorkers: false,
    faults: HEALTHY,
    lostMessages: 0,
    maxCallMs: 9000,
    maxWaitMs: 4500,
    maxCalls: REPLICAS,
    maxCallsPerProcess: 1,
    maxResults: REPLICAS,
  },
  {
    title: 'by one call per process at most, if a fetch takes longer than one attempt',
    hasWorkers: true,
    faults: HEALTHY,
    lostMessages: 0.3,
    maxCallMs: 25_000,
    maxWaitMs: 4500,
    maxCalls: REPLICAS,
    maxCallsPerProcess: 1,
    maxResults: REPLICAS,
  },
  {
    title: 'within 5 s, if a process dies',
    hasWorkers: true,
    faults: HEALTHY,
    lostMessages: 0,
    incident: 'dies',
    maxCallMs: 1500,
    // The dead call, the lock of its job (3 s), and the next read (1 s).
    maxWaitMs: 5600,
    // The dead call, the call of the process that removes its job, and of a job added meanwhile.
    maxCalls: 3,
    maxCallsPerProcess: 1,
    maxResults: 2,
  },
  {
    title: 'with one more call of each process, if one loses Redis',
    hasWorkers: true,
    faults: HEALTHY,
    lostMessages: 0,
    incident: 'loses Redis',
    maxCallMs: 4500,
    // A call whose result is lost, four reads, and the next call.
    maxWaitMs: 10_500,
    maxCalls: 4,
    // A job whose result is lost, a fetch without Redis, and a job after that.
    maxCallsPerProcess: 3,
    maxResults: 4,
  },
  {
    title: 'by three calls per process at most, if commands are lost, repeated, and late',
    hasWorkers: true,
    faults: UNRELIABLE,
    lostMessages: 0.3,
    maxCallMs: 4500,
    maxWaitMs: 20_000,
    maxCalls: 7,
    maxCallsPerProcess: 3,
    maxResults: 7,
  },
];

interface History {
  /** Calls to the provider of each process, by place. */
  calls: Map<string, number>[];
  /** The responses of replicas that did not die. `fetchId` is undefined if the request failed. */
  answers: { place: string; waitedMs: number; fetchId: string | undefined }[];
  callMs: number;
}

/** Simulates clients that request a few places repeatedly from three replicas and their workers. */
async function simulate(redis: Redis, seed: number, scenario: Scenario): Promise<History> {
  const random = createRandom(seed);
  const time = createVirtualTime();
  const network = createNetwork({ time, random, redis, faults: scenario.faults });
  const names = createNames(`model${seed}`, 0);
  const clock = { now: () => time.now, monotonic: () => time.now };
  const jobQueue = createJobQueue(time);
  const callMs = random.between(20, scenario.maxCallMs);
  const history: History = { calls: [], answers: [], callMs };
  const subscribers: ((text: string) => void)[] = [];

  /** Creates the parts that a replica and a worker have in common. */
  function createProcess() {
    const connection = network.connect();
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    const messages = createMessageRouter(time.startTimer);
    const calls = new Map<string, number>();
    history.calls.push(calls);
    connection.onExecuted = (_reply, [channel, text]) => {
      if (channel === names.fetchMessages) for (const send of subscribers) send(String(text));
    };
    const position = register({
      kind: POSITION,
      async fetch({ name }) {
        // The timers of a process that has died still run.
        ending.signal.throwIfAborted();
        calls.set(name, (calls.get(name) ?? 0) + 1);
        await time.sleep(callMs);
        return { value: null, provider: 'stub' };
      },
      ttlOf: () => TTL,
    });
    const redis = connection.redis;
    const fetching = createFetcher({ registrations: [position], timeoutMs: 60_000, clock, log });
    const parts = {
      address: { kind: 'single', url: '' } as const,
      redis,
      names,
      clock,
      config,
      log,
      lifecycle: { ending: ending.signal } as never,
      jobs: jobQueue.connect(redis),
      ...fetching,
      slots: createSlots(SLOTS, clock),
      entries: createSharedEntries({ redis, names, clock }, messages, fetching.kinds),
    };
    const processor = createJobProcessor(parts);
    const startWorker = () =>
      jobQueue.addWorker((job) => parts.slots.take(() => processor.run(job)));
    let worker: ReturnType<typeof startWorker> | undefined;
    function die() {
      connection.isCut = true;
      ending.abort(new Error('The process died'));
      if (worker) jobQueue.kill(worker);
    }
    return {
      ...{ connection, messages, parts, signal: ending.signal, die },
      startWorker: () => void (worker = startWorker()),
    };
  }

  function createReplica() {
    const { connection, messages, parts, signal, die, startWorker } = createProcess();
    if (scenario.hasWorkers) startWorker();
    subscribers.push((text) => {
      if (random.chance(scenario.lostMessages)) return;
      const receive = () => {
        if (!connection.isCut) messages.receive(text);
      };
      time.after(random.between(1, 20), receive);
    });
    const lookup = createLookup({
      near: createMemoryCache({ clock, maxBytes: 1_000_000 }),
      sharedCache: createRedisSharedCache(messages, parts),
      isOffered: () => true,
      clock,
      refreshAheadMs: 0,
      fetchesPerSecond: 1000,
      maxQueuedMs: 60_000,
      maxWaitMs: 60_000,
    });
    const isDead = () => signal.aborted;
    async function request(place: string): Promise<void> {
      if (isDead()) return;
      const scope = { signal, deadline: Infinity, trace: { traceId: undefined } };
      const sentAt = time.now;
      const query = { city: place, countryCode: 'DE', name: place };
      const result = await Promise.resolve(lookup(POSITION, query, scope)).catch(() => undefined);
      if (isDead()) return;
      history.answers.push({
        place,
        waitedMs: time.now - sentAt,
        fetchId: result?.entry.fetchId,
      });
    }
    return { connection, request, die };
  }

  function createWorker() {
    const { connection, die, startWorker } = createProcess();
    startWorker();
    return { connection, die };
  }

  const replicas = Array.from({ length: REPLICAS }, createReplica);
  const count = scenario.hasWorkers ? 0 : random.between(0, 2);
  const workers = Array.from({ length: count }, createWorker);
  if (!scenario.hasWorkers && random.chance(0.2)) jobQueue.pause();
  for (let n = 0; n < REQUESTS; n += 1) {
    const place = `${seed} ${random.between(1, PLACES)}`;
    const replica = random.pick(replicas);
    time.after(random.between(0, SPREAD_MS), () => replica.request(place));
  }
  if (scenario.incident) {
    const process = random.pick([...replicas, ...workers]);
    time.after(random.between(0, SPREAD_MS), () => {
      if (scenario.incident === 'dies') process.die();
      else process.connection.isCut = true;
    });
    time.after(SPREAD_MS + random.between(0, 4000), () => {
      if (scenario.incident === 'loses Redis') process.connection.isCut = false;
    });
  }
  await time.runAll();
  const keys = await redis.keys(`model${seed}:*`);
  if (keys.length > 0) await redis.del(...keys);
  return history;
}

describe('fetches over an unreliable network', () => {
  const redis = useRedis();

  for (const { title, ...scenario } of SCENARIOS) {
    it(`every request is answered in time, ${title}`, async () => {
      await forEachSeed(async (seed) => {
        const { answers, calls, callMs } = await simulate(redis.client, seed, scenario);
        for (const { place, waitedMs, fetchId } of answers) {
          assert.notEqual(fetchId, undefined, `no answer for ${place}`);
          assert.ok(waitedMs <= callMs + scenario.maxWaitMs, `${place} took ${waitedMs} ms`);
        }
        for (const place of new Set(answers.map((answer) => answer.place))) {
          const perProcess = calls.map((ofProcess) => ofProcess.get(place) ?? 0);
          const most = Math.max(...perProcess);
          assert.ok(most <= scenario.maxCallsPerProcess, `${most} calls of a process for ${place}`);
          const sum = perProcess.reduce((total, count) => total + count, 0);
          assert.ok(sum <= scenario.maxCalls, `${sum} calls for ${place}`);
          const results = answers.filter((answer) => answer.place === place);
          const fetchIds = new Set(results.map(({ fetchId }) => fetchId));
          assert.ok(fetchIds.size <= scenario.maxResults, `${fetchIds.size} results of ${place}`);
        }
      });
    });
  }
});
