/**
 * The seed of every random draw in this run. `TEST_SEED=<number>` repeats a run; continuous integration
 * always draws the same. `test/run.ts` prints it and hands it to the processes of all test files.
 */
export const SEED = readSeed(process.env);

/**
 * @returns `TEST_SEED`, else 7 where `CI` is set, else a new number below a million
 * @throws when `TEST_SEED` is no whole number
 */
export function readSeed(env: NodeJS.ProcessEnv): number {
  const { TEST_SEED: given = '', CI: ci = '' } = env;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  if (given !== '') throw new Error(`TEST_SEED must be a whole number, not "${given}"`);
  return ci === '' ? Date.now() % 1_000_000 : 7;
}
