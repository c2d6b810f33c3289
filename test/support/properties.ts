import fc from 'fast-check';
import { SEED } from './seed.js';

/** Random examples per property. The nightly run sets more. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 100);

/** fast-check with the seed of the run. */
fc.configureGlobal({ seed: SEED, numRuns: RUNS });

export { fc };
