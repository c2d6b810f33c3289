import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fetchedAtHeader, publicHeaders } from '../../src/http/public-headers.js';

it('X-Accel-Fetched-At is the time of the fetch, in Unix seconds', () => {
  assert.deepEqual(fetchedAtHeader(42, 1_700_000_000_999), ['X-Accel-Fetched-At', '1699999958']);
});

it('a cache serves an expired response for five seconds meanwhile, and never longer than after an error', () => {
  const controlOf = (staleSeconds?: number) =>
    publicHeaders({
      ...{ ageSeconds: 0, lifetimeSeconds: 1800 },
      ...(staleSeconds !== undefined && { staleSeconds }),
    })[3];
  const expected: [number | undefined, string][] = [
    [3600, ', stale-while-revalidate=5, stale-if-error=3600'],
    [5, ', stale-while-revalidate=5, stale-if-error=5'],
    [2, ', stale-while-revalidate=2, stale-if-error=2'],
    [0, ''],
    [undefined, ''],
  ];
  for (const [staleSeconds, extension] of expected) {
    assert.equal(controlOf(staleSeconds), `public, max-age=1800${extension}`);
  }
});
