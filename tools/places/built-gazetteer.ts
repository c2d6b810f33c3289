import { fileURLToPath } from 'node:url';
import { GAZETTEER_FILE } from '../../src/places/gazetteer.js';
import { buildGazetteer } from '../build/build.js';

// Takes the kept file, or makes it when something has changed that it is made of.
await buildGazetteer(fileURLToPath(new URL('../..', import.meta.url)), console.error);

/** The gazetteer's file, up to date. */
export function builtGazetteer(): URL {
  return GAZETTEER_FILE;
}
