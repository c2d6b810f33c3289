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

/**
 * Requests this many cold places at once, from each replica in turn. The stub provider rejects every call beyond
 * the terms.
 */
export function requestColdPlaces(
  { upstream, url }: Processes,
  { openMeteo, metNorway }: Terms,
  places: number,
): Promise<Reply[]> {
  const limit = ({ calls, seconds }: { calls: number; seconds: number }) => ({
    calls,
    windowMs: seconds * 1000,
  });
  upstream.world.limits = {
    [PATHS.openMeteo]: limit(openMeteo),
    [PATHS.metNorway]: limit(metNorway),
  };
  return burst(
    Array.from({ length: places }, (_, n) => url(placePath(n))),
    { timeoutMs: LONGEST_MS },
  );
}

/** Asserts that no provider rejected a call, and that every response has weather. */
export function assertWithinTerms({ upstream }: Processes, replies: Reply[]): void {
  const refused = [PATHS.openMeteo, PATHS.metNorway].map((path) => upstream.refused(path));
  assert.deepEqual(refused, [0, 0], 'calls beyond the terms');
  assertOutcomes(replies);
}
