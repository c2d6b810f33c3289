import { once } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import fetch from 'node-fetch';
import type { Group } from '../groups.js';
import { ownLoad } from '../tools/own-load.js';
import { browserHeaders, getRequest, pointPaths } from '../tools/requests.js';
import { newSession, startProgram, startStack } from '../tools/servers.js';
import { median, quantile, spread } from '../tools/statistics.js';

const WARM_UP = 400;
const SAMPLES_PER_ROUND = 400;
/** Between two misses: nothing of the one before is still being done. */
const PAUSE_MS = 2;

/**
 * Cold places one after the other, through one replica and one worker. Between them the provider itself
 * is called in the way that the worker calls it, and a word goes through a list of the same Redis to
 * another process and back over a channel, as a job and its announcement do. All three depend on the
 * machine alike, so a miss is told as a multiple of the other two: what it takes longer than the call, in calls,
 * and all of it in hops.
 */
export const loneMiss: Group = async ({ settings, onEnd }) => {
  const stack = await startStack();
  onEnd(() => stack.stop());
  const { port } = stack.replica;
  const headers = browserHeaders(await newSession(port));
  const agent = new Agent({ keepAlive: true });
  onEnd(() => {
    agent.destroy();
  });

  const hopper = await startProgram('hop', { REDIS_URL: stack.redis.url });
  onEnd(() => hopper.stop());
  const [sender, receiver] = [new Redis(stack.redis.url), new Redis(stack.redis.url)];
  onEnd(() => {
    sender.disconnect();
    receiver.disconnect();
  });
  await receiver.subscribe('hops');

  async function hop(): Promise<number> {
    const started = performance.now();
    const back = once(receiver, 'message');
    await sender.lpush('hop', 'x');
    await back;
    return performance.now() - started;
  }

  async function miss(path: string): Promise<number> {
    const requests = [getRequest(path, headers)];
    let taken = NaN;
    await ownLoad({
      port,
      connections: 1,
      next: () => requests.pop(),
      onAnswer({ status, head, ms }) {
        if (status !== 200 || !/\r\nx-cache: MISS/i.test(head))
          throw new Error(`no miss:\n${head}`);
        taken = ms;
      },
    });
    return taken;
  }

  async function direct(path: string): Promise<number> {
    const query = path.slice(path.indexOf('?'));
    const url = `http://127.0.0.1:${stack.provider.port}/v1/forecast${query}`;
    const started = performance.now();
    await (await fetch(url, { agent })).json();
    return performance.now() - started;
  }

  async function round(paths: readonly string[]) {
    const misses: number[] = [];
    const directs: number[] = [];
    const hops: number[] = [];
    for (const path of paths) {
      misses.push(await miss(path));
      directs.push(await direct(path));
      hops.push(await hop());
      await sleep(PAUSE_MS);
    }
    const [provider, oneHop, p50] = [directs, hops, misses].map(median) as [number, number, number];
    return {
      provider,
      hop: oneHop,
      p50,
      inCalls: (p50 - provider) / provider,
      inHops: p50 / oneHop,
      lowInHops: quantile(misses, 0.1) / quantile(hops, 0.1),
      p99: quantile(misses, 0.99) / p50,
    };
  }

  const { rounds } = settings;
  const paths = pointPaths(WARM_UP + rounds * SAMPLES_PER_ROUND);
  await round(paths.splice(0, WARM_UP));
  const found: Awaited<ReturnType<typeof round>>[] = [];
  for (let i = 0; i < rounds; i += 1) found.push(await round(paths.splice(0, SAMPLES_PER_ROUND)));

  const typical = (name: 'provider' | 'hop' | 'p50' | 'lowInHops') =>
    median(found.map((one) => one[name])).toFixed(2);
  const row = (name: 'inCalls' | 'inHops' | 'p99') => {
    const values = found.map((one) => one[name]);
    const { lowest, highest } = spread(values);
    return { value: median(values), details: `${lowest.toFixed(1)}–${highest.toFixed(1)}` };
  };
  const inCalls = row('inCalls');
  const inHops = row('inHops');
  const times = `miss ${typical('p50')} ms, call ${typical('provider')} ms, hop ${typical('hop')} ms`;
  return {
    rows: {
      'miss-calls': { ...inCalls, details: `${inCalls.details}; ${times}` },
      'miss-hops': { ...inHops, details: `${inHops.details}; p10 ${typical('lowInHops')}` },
      'miss-p99': row('p99'),
    },
  };
};
