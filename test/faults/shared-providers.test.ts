import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

/** Each replica fetches for itself. */
const ENV = { RUN_WORKER: 'false' };
/** Once; twice when Redis gets no processor for a moment. Without sharing, each process asks. */
const ASKED_AT_MOST = 2;

describe('what one process learns of a provider', () => {
  it('a quota used up closes it for all until its window ends', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 0, env: ENV });
    const { upstream } = stack;
    upstream.behave(PATHS.openMeteo, { kind: 'quota', window: 'hour' });
    for (let n = 0; n < 12; n += 1) {
      const reply = await attempt(stack.url(placePath(n)));
      assert.deepEqual([reply.status, reply.headers['x-weather-provider']], [200, 'met-norway']);
    }
    assert.ok(upstream.count(PATHS.openMeteo) <= ASKED_AT_MOST);
    await eventually(
      () => stack.replicas.every((replica) => replica.of('breaker_open').length === 1),
      'a record of each process',
    );

    // A process that starts later knows it too.
    const late = await stack.addReplica();
    assert.equal((await attempt(late.url + placePath(20))).status, 200);
    assert.ok(upstream.count(PATHS.openMeteo) <= ASKED_AT_MOST);
  });
});

describe('the breaker of a provider', () => {
  it('is of each process: three failures open it, and its own probe closes it', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 0, env: ENV });
    const { upstream, replicas } = stack;
    upstream.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
    for (let n = 0; n < 9; n += 1)
      assert.equal((await attempt(stack.url(placePath(n)))).status, 200);
    assert.equal(upstream.count(PATHS.openMeteo), 9);
    await eventually(
      () => replicas.every((replica) => replica.of('breaker_open').length === 1),
      'the third failure of each process',
    );

    upstream.behave(PATHS.openMeteo);
    let n = 100;
    await eventually(async () => {
      assert.equal((await attempt(stack.url(placePath((n += 1))))).status, 200);
      return replicas.every((replica) => replica.of('breaker_closed').length === 1);
    }, 'a probe of each process');
  });
});
