import assert from 'node:assert/strict';
import { assertOutcomes, burst, type Reply } from './load.js';
import { placePath } from './places.js';
import type { Processes } from './stack.js';
import { PATHS } from './stub-provider.js';

/** Calls of all processes together in one window, as `PROVIDER_BUDGETS` says it and the stub provider holds it. */
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
 * Asks for so many cold places at once, one replica after the other. The stub provider refuses every call
 * beyond the terms, wherever its window begins.
 */
export function askColdPlaces(
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
