import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pino } from 'pino';
import { createMetrics } from '../../../src/process/metrics/metrics.js';
import { createMetricsServer } from '../../../src/process/metrics/metrics-server.js';
import { ask } from '../../support/http-client.js';
import { listenLocally } from '../../support/listen-locally.js';

it('metrics that cannot be collected are a 500 with a record', async (t) => {
  const records: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => void records.push(JSON.parse(line) as object as never) });
  const metrics = {
    ...createMetrics(),
    render: () => Promise.reject(new TypeError('no such series')),
  };
  const health = { isHealthy: () => true, isReady: () => true };
  const url = await listenLocally(t, createMetricsServer(metrics, health, log).server);
  assert.equal((await ask(`${url}/metrics`)).status, 500);
  assert.equal(records.length, 1);
  assert.deepEqual([records[0]?.['level'], records[0]?.['event']], [50, 'metrics_failed']);
  assert.match(JSON.stringify(records[0]?.['err']), /no such series/);
});
