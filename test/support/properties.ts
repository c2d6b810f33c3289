import fc from 'fast-check';
import { SEED } from './seed.js';

/** fast-check with the seed of the run. */
fc.configureGlobal({ seed: SEED });

export { fc };
