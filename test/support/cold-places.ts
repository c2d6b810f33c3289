import assert from 'node:assert/strict';
import { assertOutcomes, burst, type Reply } from './load.js';
import { placePath } from './places.js';
import type { Processes } from './stack.js';
import { PATHS } from './stub-provider.js';

/** The calls of all processes that a window admits: the value of `PROVIDER_BUDGETS` and the limit of the stub provider. */
export interface Terms {
  openMeteo: { calls: number; seconds: number };
  metNorway: { calls: number; seconds: number };
}

/** The time limit of a request. */
const LONGEST_MS = 120_000;

/** The budgets that all processes share. */
export function budgetsOf({ openMeteo, metNorway }: Terms): string {
  const text = ({ calls, seconds }: { calls: number; seconds: number }) => `${calls}/${seconds}`;
  return `open-meteo=${text(openMeteo)};met-norway=${text(metNorway)}`;
}

/** Requests many places that are not cached at the same time, from each replica in turn. */
export function requestColdPlaces({ url }: Processes, places: number): Promise<Reply[]> {
  const urls = Array.from({ length: places }, (_, n) => url(placePath(n)));
  return burst(urls, { timeoutMs: LONGEST_MS });
}

/** Asserts that no window of a provider has more calls than its terms allow, and that every response has weather. */
export function assertWithinTerms(
  { upstream }: Processes,
  { openMeteo, metNorway }: Terms,
  replies: Reply[],
): void {
  for (const [path, { calls, seconds }] of [
    [PATHS.openMeteo, openMeteo],
    [PATHS.metNorway, metNorway],
  ] as const) {
    const times = upstream.calls.filter((call) => call.path === path).map(({ at }) => at);
    // The call at `index + calls` is the first that must not be in the same window as the call at `index`.
    const tooMany = times.filter(
      (at, index) => (times[index + calls] ?? Infinity) - at < seconds * 1000,
    );
    assert.deepEqual(tooMany, [], `calls of ${path} beyond the terms`);
  }
  assertOutcomes(replies);
}
