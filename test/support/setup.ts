import { configureGlobal } from 'fast-check';
import { SEED } from './seed.js';

/** Loaded before each test file: properties draw from the seed of the run, too. */
configureGlobal({ seed: SEED });
