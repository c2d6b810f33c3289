import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { delayReplies } from '../support/transient-delay.js';
import { names, QUEUE } from '../support/names.js';
import type { Random } from '../support/random.js';
import { PATHS, type Behavior } from '../support/stub-provider.js';
import type { Fleet } from './fleet.js';
import type { Member } from './member.js';

/** One fault. It begins, lasts for a while, and is undone. */
export interface Fault {
  name: string;
  weight: number;
  /** While it lasts a process may have to count for itself; `forgets`: Redis loses its counts. */
  limits: 'kept' | 'disturbed' | 'forgotten';
  /** @returns a function that undoes the fault. All random numbers are drawn here, so that a seed repeats them. */
  begin(random: Random): Promise<() => Promise<unknown>> | (() => Promise<unknown>);
}

const nothing = () => Promise.resolve();
const BEHAVIORS: Behavior[] = [
  { kind: 'ok', delayMs: 800 },
  { kind: 'ok', delayMs: 3000 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, headers: { 'retry-after': '86400' } },
  { kind: 'status', status: 404 },
  { kind: 'status', status: 429, headers: { 'retry-after': '3' } },
  { kind: 'status', status: 200, body: '<html>' },
  { kind: 'status', status: 200, body: '{"current":{"temperature_2m":NaN}}' },
  { kind: 'truncated' },
  { kind: 'hang' },
  { kind: 'reset' },
  { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
];
const GARBAGE = ['', 'garbage', '{}', '[]', '1 x {"value":{}}', '\u0000', '9'.repeat(400)];
const CHANNELS = [names.fetchMessages, `${QUEUE}:events`, 'garbage'];
/** Keys of BullMQ. Damaging them would test BullMQ. */
const QUEUE_PREFIX = names.queue;

export function createFaults(fleet: Fleet): Fault[] {
  const { provider } = fleet;
  const redis = (name: string, weight: number, begin: Fault['begin']): Fault => ({
    name: `redis ${name}`,
    weight,
    limits: 'disturbed',
    begin,
  });
  const emptied = (name: string, weight: number, begin: Fault['begin']): Fault => ({
    ...redis(name, weight, begin),
    limits: 'forgotten',
  });
  const other = (name: string, weight: number, begin: Fault['begin']): Fault => ({
    name,
    weight,
    limits: 'kept',
    begin,
  });

  /** Starts the replacement before it stops a process, as a rolling update does. */
  async function replace(list: Member[], signal: NodeJS.Signals, add: () => Promise<Member>) {
    const [old] = list;
    if (!old) return;
    if (signal === 'SIGTERM') await add();
    list.shift();
    old.kill(signal);
    // Another fault may have stopped the process (SIGSTOP). Then it cannot exit.
    old.kill('SIGCONT');
    if (signal === 'SIGKILL') await add();
    await old.exited;
  }

  async function behave(random: Random, paths: string[]) {
    const behaviour = random.pick(BEHAVIORS);
    for (const path of paths) provider.behave(path, behaviour);
    return Promise.resolve(() => {
      for (const path of paths) provider.behave(path);
      return nothing();
    });
  }

  const shared: Fault[] = [
    emptied('killed and started again, empty', 2, async () => {
      const server = await fleet.redis();
      await server.kill('SIGKILL');
      return () => server.restart();
    }),
    redis('stopped', 2, async () => {
      const server = await fleet.redis();
      await server.kill('SIGSTOP');
      return () => server.kill('SIGCONT');
    }),
    redis('connections cut in a loop', 2, async (random) => {
      const times = random.between(2, 8);
      for (let n = 0; n < times; n += 1) {
        await fleet.command((client) =>
          client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
        );
        await fleet.command((client) => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub'));
        await sleep(100);
      }
      return nothing;
    }),
    emptied('flushed', 2, async () => {
      await fleet.command((client) => client.flushall());
      return nothing;
    }),
    other('redis forgets its scripts', 1, async () => {
      await fleet.command((client) => client.script('FLUSH'));
      return nothing;
    }),
    redis('out of memory', 2, async () => {
      const limit = (bytes: string) =>
        fleet.command((client) => client.config('SET', 'maxmemory', bytes));
      await limit('1mb').catch(async (error: unknown) => {
        // A fault before this one killed a server. The limit applies to the others.
        await limit('0').catch(() => undefined);
        throw error;
      });
      return () => limit('0');
    }),
    emptied('garbage in every value', 2, async (random) => {
      const garbage = random.pick(GARBAGE);
      await fleet.command((client) => garble(client, garbage));
      return nothing;
    }),
    other('garbage on the channels', 1, async (random) => {
      for (let n = 0; n < 20; n += 1) {
        const [channel, text] = [random.pick(CHANNELS), random.pick(GARBAGE)];
        await fleet.command((client) => client.publish(channel, text));
      }
      return nothing;
    }),
    other('all providers misbehave', 3, (random) =>
      behave(random, [PATHS.openMeteo, PATHS.geocoding, PATHS.metNorway]),
    ),
    other('one provider misbehaves', 3, (random) =>
      behave(random, [random.pick([PATHS.openMeteo, PATHS.geocoding, PATHS.metNorway])]),
    ),
    other('worker killed and replaced', 2, async () => {
      const [old] = fleet.workers;
      old?.kill('SIGKILL');
      fleet.workers.shift();
      await old?.exited;
      return () => fleet.addWorker();
    }),
    other('worker stopped', 2, () => {
      const [worker] = fleet.workers;
      worker?.kill('SIGSTOP');
      return () => {
        worker?.kill('SIGCONT');
        return nothing();
      };
    }),
    other('worker ended and replaced', 1, async () => {
      await replace(fleet.workers, 'SIGTERM', () => fleet.addWorker());
      return nothing;
    }),
    other('replica ended and replaced', 2, async () => {
      await replace(fleet.replicas, 'SIGTERM', () => fleet.addReplica());
      return nothing;
    }),
    other('replica killed and replaced', 1, async () => {
      await replace(fleet.replicas, 'SIGKILL', () => fleet.addReplica());
      return nothing;
    }),
    other('standard output not read', 2, (random) => {
      const member = random.pick([...fleet.replicas, ...fleet.workers]);
      member.read(false);
      return () => {
        member.read(true);
        return nothing();
      };
    }),
  ];
  return fleet.store === 'single' ? [...shared, ...connectionFaults(fleet, redis)] : shared;
}

/** Faults of the connections to a Redis at a fixed address. */
function connectionFaults(
  fleet: Fleet,
  redis: (name: string, weight: number, begin: Fault['begin']) => Fault,
): Fault[] {
  const wires = () => [...fleet.replicas, ...fleet.workers].flatMap(({ wire }) => wire ?? []);
  return [
    redis('read-only', 2, async () => {
      await fleet.command((client) => client.replicaof('127.0.0.1', 1));
      return () => fleet.command((client) => client.call('REPLICAOF', 'NO', 'ONE'));
    }),
    redis('late by a steady time', 3, (random) => {
      const late = random.pick([5, 20, 45, 70, 100, 200]);
      const jitter = random.chance(0.5) ? late / 2 : 0;
      const disturbed = wires();
      for (const wire of disturbed) wire.delayBy(late, jitter);
      return () => {
        for (const wire of disturbed) wire.delayBy(0);
        return nothing();
      };
    }),
    {
      name: 'redis is briefly late for one process',
      weight: 4,
      limits: 'disturbed',
      begin(random) {
        const wire = random.pick(wires());
        const [afterMs, lateMs] = [random.between(0, 300), random.between(200, 1000)];
        const late = sleep(afterMs).then(() => delayReplies(wire, lateMs, lateMs));
        return () => late;
      },
    },
    redis('out of reach for one process', 3, (random) => {
      const wire = random.pick(wires());
      if (random.chance(0.5)) wire.cut();
      else wire.hold();
      return () => {
        wire.mend();
        return nothing();
      };
    }),
  ];
}

/** Replaces each value of the service by garbage, with the TTL of the value. */
async function garble(client: Redis, garbage: string): Promise<void> {
  let cursor = '0';
  do {
    const [next, names] = await client.scan(cursor, 'COUNT', 500);
    cursor = next;
    const ours = names.filter((name) => !name.startsWith(QUEUE_PREFIX));
    await Promise.all(ours.map((name) => client.call('SET', name, garbage, 'XX', 'KEEPTTL')));
  } while (cursor !== '0');
}
