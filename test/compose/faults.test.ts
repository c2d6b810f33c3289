import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { losesNothing, useComposedStack } from './compose-stack.js';
import { docker, whyNoEngine } from './docker.js';
import { eventually } from '../support/eventually.js';

describe('faults of containers', { skip: whyNoEngine() ?? false }, () => {
  const used = useComposedStack();
  const replica = async () => (await used.stack.containers('api'))[0] ?? '';
  const inspect = (container: string, field: string) =>
    docker('inspect', '--format', `{{${field}}}`, container);
  const healthy = (container: string) =>
    eventually(
      async () => (await inspect(container, '.State.Health.Status')) === 'healthy',
      `${container} to be healthy`,
      60_000,
    );

  it('no request fails if a replica is killed', async (t) => {
    const container = await replica();
    // Few requests, so that the fault is complete before the next request.
    const few = { clients: 3, pauseMs: 150 };
    await losesNothing(t, used.stack, () => docker('kill', container), few);
    await docker('start', container);
    await healthy(container);
  });

  it('a replica that hangs is restarted, and no request fails', async (t) => {
    const container = await replica();
    const replies = await losesNothing(t, used.stack, async () => {
      // Stops every thread of the process, as a machine without free memory does.
      await docker(
        ...['exec', container, 'node', '-e'],
        "process.kill(require('fs').readFileSync('/proc/1/task/1/children', 'utf8').split(' ')[0], 'SIGSTOP')",
      );
      const restarted = async () => (await inspect(container, '.RestartCount')) === '1';
      await eventually(restarted, 'the replica to start again', 60_000);
      await healthy(container);
    });
    assert.ok(
      replies.some(({ ms }) => ms > 1000),
      'no request met the replica that hung',
    );
  });
});
