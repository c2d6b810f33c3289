import { SEED } from '../support/seed.js';

/** Interleavings per test. The nightly run sets more. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 16);
/** Simulations at the same time: each of them waits for Redis most of the time. */
const CONCURRENCY = 16;

/**
 * Runs a simulation with one seed after the other, `SEED` first.
 * @throws the error of the first simulation that fails, with the `TEST_SEED` that repeats it
 */
export async function forEachSeed(simulate: (seed: number) => Promise<void>): Promise<void> {
  let runs = 0;
  let isOver = false;
  async function loop(): Promise<void> {
    while (!isOver && runs < RUNS) {
      const seed = SEED + runs;
      runs += 1;
      try {
        await simulate(seed);
      } catch (cause) {
        isOver = true;
        throw new Error(`TEST_SEED=${seed} repeats it`, { cause });
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
}
