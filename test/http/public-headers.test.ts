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

it('nginx may serve a response as long as it is fresh, and an expired one for five seconds at most', () => {
  const secondsOf = (ageSeconds: number, staleSeconds?: number) =>
    publicHeaders({
      ...{ ageSeconds, lifetimeSeconds: 1800 },
      ...(staleSeconds !== undefined && { staleSeconds }),
    })[5];
  const expected: [age: number, stale: number | undefined, seconds: string][] = [
    [0, 3600, '1800'],
    [1799, 3600, '1'],
    [1800, 3600, '5'],
    [5395, 3600, '5'],
    [5397, 3600, '3'],
    [5400, 3600, '0'],
    [9000, 3600, '0'],
    [1800, 2, '2'],
    [1800, 0, '0'],
    [1800, undefined, '0'],
  ];
  for (const [age, stale, seconds] of expected) assert.equal(secondsOf(age, stale), seconds);
});
