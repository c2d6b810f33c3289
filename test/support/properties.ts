import fc from 'fast-check';
import { SEED } from './seed.js';

/** Properties draw from the seed of the run, as all else that is random. */
fc.configureGlobal({ seed: SEED });

export { fc };
