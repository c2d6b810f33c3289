import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../support/http-client.js';
import { freePort } from '../support/redis-server.js';
import { startReplica } from '../support/service.js';

it('a process that is stopped for half of each second shows it as the delay of its event loop', async () => {
  const port = await freePort();
  const service = await startReplica({ METRICS_PORT: String(port), WEATHER_PROVIDERS: 'demo' });
  for (let second = 0; second < 3; second += 1) {
    await sleep(500);
    service.kill('SIGSTOP');
    await sleep(500);
    service.kill('SIGCONT');
  }
  const { text } = await ask(`http://127.0.0.1:${port}/metrics`);
  const [, delay] = /^nodejs_eventloop_lag_max_seconds (.*)$/m.exec(text) ?? [];
  assert.ok(Number(delay) > 0.4, `${delay} s`);
  await service.stop();
});
