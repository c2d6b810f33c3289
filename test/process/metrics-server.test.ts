import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createMetrics } from '../../src/process/metrics.js';
import { createMetricsServer } from '../../src/process/metrics-server.js';
import { ask } from '../support/http-client.js';
import { listenLocally } from '../support/listen-locally.js';

it('the port of a worker reports whether it can work, and whether it has reached Redis', async (t) => {
  const state = { isHealthy: true, isReady: false };
  const { server } = createMetricsServer(createMetrics(), {
    isHealthy: () => state.isHealthy,
    isReady: () => state.isReady,
  });
  const url = await listenLocally(t, server);
  const reports = async () =>
    Promise.all(
      ['/healthz', '/readyz'].map(async (path) => {
        const { status, text } = await ask(url + path);
        return `${status} ${text.trim()}`;
      }),
    );
  assert.deepEqual(await reports(), ['200 ok', '503 Redis has not been reached yet']);
  Object.assign(state, { isHealthy: false, isReady: true });
  assert.deepEqual(await reports(), ['503 the worker cannot take jobs', '200 ok']);
});
