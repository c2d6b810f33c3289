import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

const ENV = { RUN_WORKER: 'true' };

describe('what one process learns of a provider', () => {
  it('a quota used up closes it for all until its window ends', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 0, env: ENV });
    const { upstream } = stack;
    upstream.behave(PATHS.openMeteo, { kind: 'quota', window: 'hour' });
    for (let n = 0; n < 12; n += 1) {
      const reply = await attempt(stack.url(placePath(n)));
      assert.deepEqual([reply.status, reply.headers['x-weather-provider']], [200, 'met-norway']);
    }
    assert.equal(upstream.count(PATHS.openMeteo), 1);
    const opened = stack.replicas.flatMap((replica) => replica.of('breaker_open'));
    assert.equal(opened.length, 1);

    // A process that starts later knows it too.
    const late = await stack.addReplica();
    assert.equal((await attempt(late.url + placePath(20))).status, 200);
    assert.equal(upstream.count(PATHS.openMeteo), 1);
  });

  it('three failures in a row open it for all, and one probe closes it for all', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 0, env: ENV });
    const { upstream } = stack;
    upstream.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
    for (let n = 0; n < 12; n += 1)
      assert.equal((await attempt(stack.url(placePath(n)))).status, 200);
    assert.equal(upstream.count(PATHS.openMeteo), 3);

    upstream.behave(PATHS.openMeteo);
    let n = 20;
    for (const deadline = Date.now() + 20_000; upstream.count(PATHS.openMeteo) < 5; n += 1) {
      assert.ok(Date.now() < deadline, 'it was not probed again');
      assert.equal((await attempt(stack.url(placePath(n)))).status, 200);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const closed = stack.replicas.flatMap((replica) => replica.of('breaker_closed'));
    assert.equal(closed.length, 1);
  });
});
