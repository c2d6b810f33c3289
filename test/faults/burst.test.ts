import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { startProcesses, startStack, type Processes } from '../support/stack.js';

/** Requests 100 new places at once from a provider that takes 8 s, and then another one. */
async function burstAt(processes: Processes): Promise<void> {
  const { upstream, url } = processes;
  upstream.behaveAll({ kind: 'ok', delayMs: 8000 });
  let lastReplyAt = 0;
  const replies = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const reply = await attempt(url(placePath(n)), { timeoutMs: 60_000 });
      lastReplyAt = Date.now();
      return reply;
    }),
  );
  const counts = (status: number) => replies.filter((reply) => reply.status === status).length;
  assert.equal(counts(200) + counts(503), 100);
  // Four at a time, three rounds within 20 s, and those that have a slot of the worker by then.
  assert.ok(upstream.calls.length <= 16, `${upstream.calls.length} calls`);
  assert.ok(counts(200) >= 8, `${counts(200)} responses`);
  const next = await attempt(url(placePath(100)));
  assert.equal(next.status, 200);
  await sleep(2000);
  const later = upstream.calls.filter(({ at }) => at > lastReplyAt);
  // The one of the other place.
  assert.equal(later.length, 1, `${later.length} calls after the last response`);
  assert.equal(new Set(upstream.calls.map(({ key }) => key)).size, upstream.calls.length);
}

describe('a burst of new places at a slow provider', { concurrency: 2 }, () => {
  it('leaves no calls behind, with Redis', async (t: TestContext) => {
    await burstAt(await startStack(t, { replicas: 1, workers: 0 }));
  });

  it('leaves no calls behind, in memory', async (t: TestContext) => {
    await burstAt(await startProcesses(t, { replicas: 1, workers: 0 }));
  });
});
