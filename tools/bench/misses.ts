import type { Group } from './rounds.js';
import { cpuMicros } from './proc.js';
import { browserHeaders, getRequest, pointPaths } from './requests.js';
import { sendRequests } from './send-requests.js';
import { newSession, startStack, type Server, type Stack } from './servers.js';
import { comparePairs, median, type Pair } from './statistics.js';

/** Misses before the first round. Before V8 has compiled the code, they cost half as much again. */
const WARM_UP = 20_000;
const MISSES_PER_ROUND = 10_000;
const SINGLE_MISSES_PER_ROUND = 200;

const FETCH_LIMIT = { RATE_LIMIT_FETCHES_PER_IP: '1000000' };

/**
 * The cost of a request for a place that is not cached: one replica with its Redis, and a provider
 * that responds at once. First 64 connections request different places, then one connection does.
 */
export const measureMisses: Group = async ({ dist, otherDist, rounds, onEnd }) => {
  const stacks = [
    await startStack(dist),
    await startStack(otherDist),
    await startStack(dist, FETCH_LIMIT),
  ];
  for (const stack of stacks) onEnd(() => stack.stop());
  const paths = pointPaths(WARM_UP + rounds * (MISSES_PER_ROUND + SINGLE_MISSES_PER_ROUND));
  const warmUp = paths.splice(0, WARM_UP);
  for (const stack of stacks) await requestAll(stack, warmUp, 64);

  const cpu: Pair[] = [];
  const limitedCpu: Pair[] = [];
  const duration: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const crowd = paths.splice(0, MISSES_PER_ROUND);
    const single = paths.splice(0, SINGLE_MISSES_PER_ROUND);
    const [thisCpu = NaN, otherCpu = NaN, limited = NaN] = await inTurn(stacks, round, (stack) =>
      cpuOf(stack, crowd),
    );
    cpu.push({ value: thisCpu, reference: otherCpu });
    limitedCpu.push({ value: limited, reference: thisCpu });
    const [thisMs = NaN, otherMs = NaN] = await inTurn(stacks.slice(0, 2), round, async (stack) => {
      const responses = await requestAll(stack, single, 1);
      return median(responses.map(({ ms }) => ms));
    });
    duration.push({ value: thisMs, reference: otherMs });
  }
  return {
    'CPU time of a miss, replica and Redis': comparePairs(cpu, 'µs'),
    'the same with a limit on fetches, beside one without': comparePairs(limitedCpu, 'µs'),
    'duration of a single miss, median': comparePairs(duration, 'ms'),
  };
};

/** Measures one after the other, in alternating order: the first one looks up to 5 % dearer. */
async function inTurn(
  stacks: Stack[],
  round: number,
  measure: (stack: Stack) => Promise<number>,
): Promise<number[]> {
  const figures: number[] = [];
  const order = [...stacks.entries()];
  if (round % 2 === 1) order.reverse();
  for (const [index, stack] of order) figures[index] = await measure(stack);
  return figures;
}

/** The CPU time of a miss in the replica and Redis together, µs. */
async function cpuOf(stack: Stack, paths: readonly string[]): Promise<number> {
  const { replica, redis } = stack;
  const usedCpu = () => cpuMicros(replica.pid) + cpuMicros(redis.pid);
  const before = usedCpu();
  await requestAll(stack, paths, 64);
  return (usedCpu() - before) / paths.length;
}

/** @throws if a request was not a miss: then the provider received fewer calls */
async function requestAll(
  { replica, provider }: Stack,
  paths: readonly string[],
  connections: number,
) {
  const headers = browserHeaders(await newSession(replica));
  const before = await callsOf(provider);
  const requests = paths.map((path) => getRequest(path, headers));
  const responses = await sendRequests(replica.port, requests, { connections });
  const calls = (await callsOf(provider)) - before;
  if (calls < paths.length) throw new Error(`${paths.length} responses, but ${calls} fetches`);
  replica.clearOutput();
  return responses;
}

async function callsOf(provider: Server): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${provider.port}/calls`);
  return ((await response.json()) as { calls: number }).calls;
}
