import { setTimeout as sleep } from 'node:timers/promises';
import { load } from './load.js';
import { cpuMicros } from './proc.js';
import type { Server } from './servers.js';
import { median, medianRatio, spread } from './statistics.js';

/** One of those that are compared. */
export interface Contestant {
  name: string;
  server: Server;
  /** The Redis that serves it alone. */
  redis?: { pid: number };
  requests: readonly string[];
  /** Whether it writes a log record for each request: then that is checked, too. */
  logs?: boolean;
  /** Whether every answer is to be a refusal; otherwise none may be one. */
  refused?: boolean;
}

/** A record that is written in batches is there after a fraction of a second. */
const LOG_DELAY_MS = 1000;

/** What one request cost in one phase. */
export interface Sample {
  /** CPU time of the server's process, µs a request. */
  cpu: number;
  /** CPU time of its Redis, µs a request. */
  redisCpu: number;
  /** Requests a second. */
  rate: number;
}

/** The samples of every contestant, in the order of the rounds. */
export type Samples = Record<string, Sample[]>;

export interface RoundOptions {
  rounds: number;
  /** Of one phase. */
  seconds: number;
  /** Of the load before the first round, for each. */
  warmUpSeconds: number;
  /** 64 where it is absent. */
  connections?: number;
}

/**
 * Lets all contestants take turns: every round measures each of them once, one right after the other.
 * Every other round goes the other way round, so that none is always the first.
 * @throws when an answer was not what it is to be
 */
export async function interleave(
  contestants: readonly Contestant[],
  { rounds, seconds, warmUpSeconds, ...options }: RoundOptions,
): Promise<Samples> {
  for (const contestant of contestants) await warmUp(contestant, warmUpSeconds);
  const samples: Samples = Object.fromEntries(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed();
    for (const contestant of order) {
      samples[contestant.name]!.push(await phase(contestant, { seconds, ...options }));
    }
  }
  return samples;
}

/** One that leaves out its log records would win unfairly. */
async function warmUp(contestant: Contestant, seconds: number): Promise<void> {
  const { name, server, logs = false } = contestant;
  server.clearOutput();
  const { answered } = await phase(contestant, { seconds, keepOutput: true });
  await sleep(LOG_DELAY_MS);
  const records = server.records('weather_request');
  server.clearOutput();
  if (logs && records < answered) {
    throw new Error(`${name}: ${records} log records of ${answered} requests`);
  }
}

async function phase(
  contestant: Contestant,
  options: { seconds: number; connections?: number; keepOutput?: boolean },
): Promise<Sample & { answered: number }> {
  const { keepOutput = false, ...ofLoad } = options;
  const { name, server, redis, requests, refused: toBeRefused = false } = contestant;
  const before = { own: cpuMicros(server.pid), redis: redis ? cpuMicros(redis.pid) : 0 };
  const { answered, refused, perSecond } = await load({ port: server.port, requests, ...ofLoad });
  const own = cpuMicros(server.pid) - before.own;
  const ofRedis = redis ? cpuMicros(redis.pid) - before.redis : 0;
  if (server.records('redis_unavailable') > 0) {
    console.error(
      `${name}: worked without Redis for a while, so this phase is not like the others`,
    );
  }
  if (!keepOutput) server.clearOutput();
  if (refused !== (toBeRefused ? answered : 0)) {
    throw new Error(`${name}: ${refused} of ${answered} answers had a status of 400 or more`);
  }
  return { cpu: own / answered, redisCpu: ofRedis / answered, rate: perSecond, answered };
}

/** The median over the rounds of one figure of a contestant over one of another. */
export function compare(
  samples: Samples,
  [name, figure]: [string, keyof Sample],
  [otherName, otherFigure]: [string, keyof Sample],
): { ratio: number; range: string } {
  const pairs = samples[name]!.map((sample, round) => ({
    value: sample[figure],
    over: samples[otherName]![round]![otherFigure],
  }));
  const { lowest, highest } = spread(pairs.map(({ value, over }) => value / over));
  return { ratio: medianRatio(pairs), range: `${lowest.toFixed(2)}–${highest.toFixed(2)}` };
}

/** The median of one figure, as text: `cpu` and `redisCpu` in µs, `rate` in requests a second. */
export function typical(samples: Samples, name: string, figure: keyof Sample): string {
  const value = median(samples[name]!.map((sample) => sample[figure]));
  return figure === 'rate' ? `${Math.round(value)}/s` : `${value.toFixed(1)} µs`;
}
