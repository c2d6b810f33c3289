import { fileURLToPath } from 'node:url';
import { GAZETTEER_FILE } from '../../src/places/gazetteer.js';
import { buildGazetteer } from '../build/build.js';

// Uses the cached file, or makes it if a source has changed.
await buildGazetteer(fileURLToPath(new URL('../..', import.meta.url)), console.error);

/** Returns the location of the gazetteer's file, which is up to date. */
export function builtGazetteer(): URL {
  return GAZETTEER_FILE;
}
