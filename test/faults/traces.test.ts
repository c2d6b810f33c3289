import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath, requestKey } from '../support/places.js';
import { useStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

const TRACE_ID = 'a'.repeat(32);

/** Sends a request with an ID and a trace. Returns the response, its record, and the records of its fetch in any process. */
async function trace(stack: Stack, place: number, requestId: string) {
  const headers = { 'X-Request-ID': requestId, traceparent: `00-${TRACE_ID}-${'1'.repeat(16)}-01` };
  const reply = await attempt(stack.url(placePath(place)), { headers });
  const all = () => [...stack.replicas, ...stack.workers].flatMap(({ records }) => records);
  const request = () => all().find((record) => record['request_id'] === requestId);
  const cause = () =>
    all().filter(
      ({ event, fetch_id: id }) => id === request()?.['fetch_id'] && event !== 'weather_request',
    );
  await eventually(() => cause().some(({ event }) => event === 'fetch'), 'the record of a fetch');
  for (const record of [request()!, ...cause()]) {
    assert.deepEqual([record['key'], record['trace_id']], [requestKey(place), TRACE_ID]);
  }
  return { reply, request: request()!, cause: cause() };
}

describe('the record of a request', () => {
  const stackOf = useStack({ replicas: 1, workers: 1 });

  it('leads to the fetch of a worker, and the trace reaches no provider', async () => {
    const stack = stackOf();
    await workerFetches(stack);
    const { cause } = await trace(stack, 1, 'miss');
    assert.deepEqual(
      cause.map(({ event, outcome }) => [event, outcome]),
      [['fetch', 'ok']],
    );
    assert.ok(stack.workers[0]!.records.includes(cause[0]!));
    assert.ok(!JSON.stringify(stack.upstream.calls).includes(TRACE_ID));
  });

  it('leads to the failures of the providers', async () => {
    const stack = stackOf();
    stack.upstream.behaveAll({ kind: 'status', status: 500 });
    const { reply, request, cause } = await trace(stack, 2, 'failure');
    assert.equal(reply.status, 503);
    assert.match(
      (request['err'] as { message: string }).message,
      /open-meteo: server error \(status 500\); met-norway: server error \(status 500\)$/,
    );
    assert.deepEqual(
      cause.map(({ event, provider }) => [event, provider]),
      [
        ['upstream_failed', 'open-meteo'],
        ['upstream_failed', 'met-norway'],
        ['fetch', undefined],
      ],
    );
  });
});
