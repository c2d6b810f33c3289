import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import fetch from 'node-fetch';
import type { Group } from '../groups.js';
import { ownLoad } from '../tools/own-load.js';
import { browserHeaders, getRequest, pointPaths } from '../tools/requests.js';
import { newSession, startStack } from '../tools/servers.js';
import { median, quantile, spread } from '../tools/statistics.js';

const WARM_UP = 400;
const SAMPLES_PER_ROUND = 400;
/** Between two misses: nothing of the one before is still being done. */
const PAUSE_MS = 2;

/**
 * Cold places one after the other, through one replica and one worker; between them the provider
 * itself is called in the way that the worker calls it. Both quantiles are of the misses of a round,
 * less the median of the provider's own time in it: its rare slow calls are not to flatter the p99.
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
    for (const path of paths) {
      misses.push(await miss(path));
      directs.push(await direct(path));
      await sleep(PAUSE_MS);
    }
    const provider = median(directs);
    return {
      provider,
      p50: quantile(misses, 0.5) - provider,
      p99: quantile(misses, 0.99) - provider,
    };
  }

  const { rounds } = settings;
  const paths = pointPaths(WARM_UP + rounds * SAMPLES_PER_ROUND);
  await round(paths.splice(0, WARM_UP));
  const found: Awaited<ReturnType<typeof round>>[] = [];
  for (let i = 0; i < rounds; i += 1) found.push(await round(paths.splice(0, SAMPLES_PER_ROUND)));

  const provider = median(found.map((one) => one.provider)).toFixed(2);
  const row = (name: 'p50' | 'p99') => {
    const values = found.map((one) => one[name]);
    const { lowest, highest } = spread(values);
    return { value: median(values), details: `${lowest.toFixed(1)}–${highest.toFixed(1)}` };
  };
  const p50 = row('p50');
  return {
    rows: {
      'miss-p50': { ...p50, details: `${p50.details}; the provider itself ${provider} ms` },
      'miss-p99': row('p99'),
    },
  };
};
