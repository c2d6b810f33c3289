import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { losesNothing, useComposedStack } from './compose-stack.js';
import { whyNoEngine } from './engine.js';
import { eventually } from '../support/eventually.js';

/** Few requests, so that the fault is complete before the next request. */
const FEW = { clients: 3, pauseMs: 150 };

describe('faults of containers', { skip: whyNoEngine() ?? false }, () => {
  const used = useComposedStack();
  const docker = (...args: string[]) => used.stack.engine.docker(...args);
  const replica = async () => (await used.stack.containers('api'))[0] ?? '';
  const inspect = (container: string, field: string) =>
    docker('inspect', '--format', `{{${field}}}`, container);
  const healthy = (container: string) =>
    eventually(
      async () => (await inspect(container, '.State.Health.Status')) === 'healthy',
      `${container} to be healthy`,
      60_000,
    );
  /** Stops every thread of the process in a container, as a machine without free memory does. */
  const freeze = (container: string) =>
    docker(
      ...['exec', container, 'node', '-e'],
      "process.kill(require('fs').readFileSync('/proc/1/task/1/children', 'utf8').split(' ')[0], 'SIGSTOP')",
    );

  for (const [fault, end] of [
    [['kill'], ['start']],
    [['stop'], ['start']],
    [['pause'], ['unpause']],
    [
      ['network', 'disconnect', 'weather_data'],
      ['network', 'connect', '--alias', 'redis', 'weather_data'],
    ],
  ] as const) {
    it(`Redis after docker ${fault.join(' ')} costs no request`, async (t) => {
      const [redis = ''] = await used.stack.containers('redis');
      await losesNothing(t, used.stack, async () => {
        await docker(...fault, redis);
        await sleep(5000);
        await docker(...end, redis);
        await healthy(redis);
      });
    });
  }

  it('no request fails if a replica is killed', async (t) => {
    const container = await replica();
    await losesNothing(t, used.stack, () => docker('kill', container), FEW);
    await docker('start', container);
    await healthy(container);
  });

  it('a replica that hangs is restarted, and no request fails', async (t) => {
    const container = await replica();
    const replies = await losesNothing(t, used.stack, async () => {
      await freeze(container);
      const restarted = async () => (await inspect(container, '.RestartCount')) === '1';
      await eventually(restarted, 'the replica to start again', 60_000);
      await healthy(container);
    });
    assert.ok(
      replies.some(({ ms }) => ms > 1000),
      'no request met the replica that hung',
    );
  });

  it('a worker that hangs is restarted, and no request fails', async (t) => {
    const [worker = ''] = await used.stack.containers('worker');
    await losesNothing(t, used.stack, async () => {
      await freeze(worker);
      const restarted = async () => (await inspect(worker, '.RestartCount')) === '1';
      await eventually(restarted, 'the worker to start again', 60_000);
    });
  });
});
