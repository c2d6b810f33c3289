import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/random.js';
import { PATHS, type Behavior } from '../support/stub-provider.js';
import type { Fleet } from './fleet.js';

type Undo = () => unknown;
/** Begins a fault. @returns a function that undoes it */
type Begin = (random: Random) => Undo | Promise<Undo>;
export type Fault = ReturnType<typeof fault>;
const fault = (name: string, weight: number, begin: Begin) => ({ name, weight, begin });

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

  const readOnly = fault('Redis is read-only', 2, async () => {
    await fleet.command((client) => client.replicaof('127.0.0.1', 1));
    return () => fleet.command((client) => client.replicaof('NO', 'ONE'));
  });
  const faults = [
    fault('Redis is out of memory', 2, async () => {
      await fleet.limitMemory('1mb');
      return () => fleet.limitMemory('0');
    }),
    fault('Redis is flushed and closes its connections', 3, async (random) => {
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
    }),
    fault('Redis hangs', 2, async () => {
      const server = await fleet.redis();
      await server.kill('SIGSTOP');
      return () => server.kill('SIGCONT');
    }),
    fault('Redis is killed and restarts empty', 2, async () => {
      const server = await fleet.redis();
      await server.kill('SIGKILL');
      return () => server.restart();
    }),
    fault('providers fail', 5, (random) => {
      const all = [PATHS.openMeteo, PATHS.geocoding, PATHS.metNorway];
      const paths = random.chance(0.5) ? all : [random.pick(all)];
      const behavior = random.pick(BEHAVIORS);
      for (const path of paths) upstream.behave(path, behavior);
      return () => {
        for (const path of paths) upstream.behave(path);
      };
    }),
    fault('a process is killed and replaced', 3, async (random) => {
      const kind = random.pick(kinds);
      const process = fleet[kind].shift();
      if (!process) return nothing;
      fleet.killed.add(process);
      process.kill('SIGKILL');
      await process.exited;
      return () => fleet.add(kind);
    }),
    fault('a process is replaced, as by a rolling update', 3, async (random) => {
      const kind = random.pick(kinds);
      await fleet.add(kind);
      await fleet[kind].shift()?.stop();
      return nothing;
    }),
    fault('a worker hangs', 2, () => {
      const [worker] = fleet.workers;
      worker?.kill('SIGSTOP');
      return () => {
        worker?.kill('SIGCONT');
      };
    }),
  ];
  if (relays.length === 0) return faults;
  return [
    readOnly,
    ...faults,
    fault('Redis is slow for one process', 4, (random) => {
      const relay = random.pick(relays);
      relay.delayBy(random.pick([20, 100, 200, 400, 1000]));
      return () => {
        relay.delayBy(0);
      };
    }),
    fault('Redis is unreachable for one process', 3, (random) => {
      const relay = random.pick(relays);
      if (random.chance(0.5)) relay.cut();
      else relay.hold();
      return () => {
        relay.mend();
      };
    }),
  ];
}
