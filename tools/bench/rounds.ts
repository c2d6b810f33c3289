import { cpuMicros } from './proc.js';
import type { Server } from './servers.js';
import type { Comparison } from './statistics.js';
import { load } from './wrk.js';

/** A server under load. All contestants of a comparison receive load in turn. */
export interface Contestant {
  name: string;
  server: Server;
  /** The Redis that only this server uses. */
  redis?: { pid: number };
  requests: readonly string[];
  /** Whether every response must have a status of 400 or more; otherwise none may have. */
  isRejected?: boolean;
}

/** The cost of one request in one phase of load. */
export interface Sample {
  /** CPU time of the server's process per request, µs. */
  cpu: number;
  /** CPU time of its Redis per request, µs. */
  redisCpu: number;
}

export interface RoundOptions {
  rounds: number;
  /** Seconds of load in each round, for each contestant. */
  seconds: number;
  /** Seconds of load before the first round, for each contestant. */
  warmUpSeconds: number;
}

export interface GroupOptions extends RoundOptions {
  /** The folder with the entry points of this checkout. */
  dist: string;
  /** The same of the version that it is compared with. */
  otherDist: string;
  /** The number of addresses and places in a crowd. */
  crowd: number;
  /** Calls `stop` when the group is measured, the last one first. */
  onEnd: (stop: () => Promise<unknown>) => void;
}

/** Measures several rows together. @returns the comparisons with what each compares */
export type Group = (options: GroupOptions) => Promise<Record<string, Comparison>>;

/**
 * Measures all contestants in each round, one right after the other, in reverse order in every
 * other round.
 * @returns the samples of each contestant, by name, in the order of the rounds
 * @throws if a response has an unexpected status
 */
export async function interleave(
  contestants: readonly Contestant[],
  { rounds, seconds, warmUpSeconds }: RoundOptions,
): Promise<Record<string, Sample[]>> {
  for (const contestant of contestants) await measure(contestant, warmUpSeconds);
  const samples: Record<string, Sample[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed();
    for (const contestant of order) {
      (samples[contestant.name] ??= []).push(await measure(contestant, seconds));
    }
  }
  return samples;
}

async function measure(
  { name, server, redis, requests, isRejected = false }: Contestant,
  seconds: number,
): Promise<Sample> {
  const redisCpu = () => (redis ? cpuMicros(redis.pid) : 0);
  const before = { server: cpuMicros(server.pid), redis: redisCpu() };
  const { responses, failed } = await load(server.port, requests, seconds);
  const sample = {
    cpu: (cpuMicros(server.pid) - before.server) / responses,
    redisCpu: (redisCpu() - before.redis) / responses,
  };
  server.clearOutput();
  if (failed !== (isRejected ? responses : 0)) {
    throw new Error(`${name}: ${failed} of ${responses} responses had a status of 400 or more`);
  }
  return sample;
}
