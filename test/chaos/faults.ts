import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/random.js';
import { PATHS, type Behavior } from '../support/stub-provider.js';
import type { Fleet } from './fleet.js';

/** One fault. It begins, lasts for a while, and is undone. */
export interface Fault {
  name: string;
  weight: number;
  /** Begins the fault. @returns a function that undoes it */
  begin(random: Random): Promise<() => unknown>;
}

const nothing = () => undefined;
const BEHAVIORS: Behavior[] = [
  { kind: 'ok', delayMs: 3000 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, headers: { 'retry-after': '3' } },
  { kind: 'status', status: 200, body: '{"current":{"temperature_2m":NaN}}' },
  { kind: 'truncated' },
  { kind: 'hang' },
];

/**
 * All faults that are possible with the Redis of the fleet. Those that send commands to Redis come
 * before those that stop a server. The faults of one step begin in this order and end in the
 * reverse order, so that the servers run whenever a command is sent.
 */
export function createFaults(fleet: Fleet): Fault[] {
  const { upstream, relays } = fleet;
  const kinds = ['replicas', 'workers'] as const;

  const readOnly: Fault = {
    name: 'Redis is read-only',
    weight: 2,
    async begin() {
      await fleet.command((client) => client.replicaof('127.0.0.1', 1));
      return () => fleet.command((client) => client.replicaof('NO', 'ONE'));
    },
  };
  const faults: Fault[] = [
    {
      name: 'Redis is out of memory',
      weight: 2,
      async begin() {
        await fleet.limitMemory('1mb');
        return () => fleet.limitMemory('0');
      },
    },
    {
      name: 'Redis is flushed and closes its connections',
      weight: 3,
      async begin(random) {
        for (let times = random.between(1, 6); times > 0; times -= 1) {
          await fleet.command((client) => client.flushall());
          for (const type of ['normal', 'pubsub']) {
            await fleet.command((client) =>
              client.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes'),
            );
          }
          await sleep(100);
        }
        return nothing;
      },
    },
    {
      name: 'Redis hangs',
      weight: 2,
      async begin() {
        const server = await fleet.redis();
        await server.kill('SIGSTOP');
        return () => server.kill('SIGCONT');
      },
    },
    {
      name: 'Redis is killed and restarts empty',
      weight: 2,
      async begin() {
        const server = await fleet.redis();
        await server.kill('SIGKILL');
        return () => server.restart();
      },
    },
    {
      name: 'providers fail',
      weight: 5,
      begin(random) {
        const all = [PATHS.openMeteo, PATHS.geocoding, PATHS.metNorway];
        const paths = random.chance(0.5) ? all : [random.pick(all)];
        const behavior = random.pick(BEHAVIORS);
        for (const path of paths) upstream.behave(path, behavior);
        return Promise.resolve(() => {
          for (const path of paths) upstream.behave(path);
        });
      },
    },
    {
      name: 'a process is killed and replaced',
      weight: 3,
      async begin(random) {
        const kind = random.pick(kinds);
        const process = fleet[kind].shift();
        if (!process) return nothing;
        fleet.killed.add(process);
        process.kill('SIGKILL');
        await process.exited;
        return () => fleet.add(kind);
      },
    },
    {
      name: 'a process is replaced, as by a rolling update',
      weight: 3,
      async begin(random) {
        const kind = random.pick(kinds);
        await fleet.add(kind);
        await fleet[kind].shift()?.stop();
        return nothing;
      },
    },
    {
      name: 'a worker hangs',
      weight: 2,
      begin() {
        const [worker] = fleet.workers;
        worker?.kill('SIGSTOP');
        return Promise.resolve(() => worker?.kill('SIGCONT'));
      },
    },
  ];
  if (relays.length === 0) return faults;
  return [
    readOnly,
    ...faults,
    {
      name: 'Redis is slow for one process',
      weight: 4,
      begin(random) {
        const relay = random.pick(relays);
        relay.delayBy(random.pick([20, 100, 200, 400, 1000]));
        return Promise.resolve(() => {
          relay.delayBy(0);
        });
      },
    },
    {
      name: 'Redis is unreachable for one process',
      weight: 3,
      begin(random) {
        const relay = random.pick(relays);
        if (random.chance(0.5)) relay.cut();
        else relay.hold();
        return Promise.resolve(() => {
          relay.mend();
        });
      },
    },
  ];
}
