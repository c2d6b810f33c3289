/**
 * The seed of all random numbers in this run. `TEST_SEED=<number>` repeats a run. `test/run.ts`
 * prints it and sets it for the processes of all test files.
 */
export const SEED = readSeed(process.env);

/**
 * @returns `TEST_SEED`. If it is not set: 7 in CI, elsewhere a number below a million by the clock
 * @throws if `TEST_SEED` is not an integer
 */
export function readSeed(env: NodeJS.ProcessEnv): number {
  const { TEST_SEED: given = '', CI: ci = '' } = env;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  if (given !== '') throw new Error(`TEST_SEED must be a whole number, not "${given}"`);
  return ci === '' ? Date.now() % 1_000_000 : 7;
}
