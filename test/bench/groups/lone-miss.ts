import { Agent } from 'node:http';
import fetch from 'node-fetch';
import type { Group } from '../groups.js';
import { ownLoad } from '../tools/own-load.js';
import { browserHeaders, getRequest, pointPaths } from '../tools/requests.js';
import { newSession, startStack } from '../tools/servers.js';
import { median, quantile } from '../tools/statistics.js';

const WARM_UP = 300;
const SAMPLES = 1500;
/** Between two misses: nothing of the one before is still being done. */
const PAUSE_MS = 2;

/**
 * Cold places one after the other, through one replica and one worker; between them the provider
 * itself is called in the way that the worker calls it. Both quantiles are of the misses, less the
 * median of the provider's own time: its rare slow calls are not to flatter the p99.
 */
export const loneMiss: Group = async ({ settings, onEnd }) => {
  const stack = await startStack();
  onEnd(() => stack.stop());
  const { port } = stack.replica;
  const headers = browserHeaders(await newSession(port));
  const samples = Math.round(SAMPLES * Math.max(settings.scale, 0.4));
  const paths = pointPaths(WARM_UP + samples);
  const agent = new Agent({ keepAlive: true });
  onEnd(() => {
    agent.destroy();
  });

  const misses: number[] = [];
  const direct: number[] = [];
  for (const [i, path] of paths.entries()) {
    const requests = [getRequest(path, headers)];
    await ownLoad({
      port,
      connections: 1,
      next: () => requests.pop(),
      onAnswer({ status, head, ms }) {
        if (status !== 200 || !/\r\nx-cache: MISS/i.test(head))
          throw new Error(`no miss:\n${head}`);
        if (i >= WARM_UP) misses.push(ms);
      },
    });
    const started = performance.now();
    const query = path.slice(path.indexOf('?'));
    const reply = await fetch(`http://127.0.0.1:${stack.provider.port}/v1/forecast${query}`, {
      agent,
    });
    await reply.json();
    if (i >= WARM_UP) direct.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }

  const provider = median(direct);
  const p50 = quantile(misses, 0.5);
  const p99 = quantile(misses, 0.99);
  const details = (ms: number) => `${ms.toFixed(2)} ms less ${provider.toFixed(2)} ms`;
  return {
    rows: {
      'miss-p50': { value: p50 - provider, details: `${details(p50)}; ${samples} misses` },
      'miss-p99': { value: p99 - provider, details: details(p99) },
    },
  };
};
