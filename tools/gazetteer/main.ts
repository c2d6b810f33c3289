import { encodeGazetteer } from '../../src/places/gazetteer-file.js';
import { buildGazetteer } from './build.js';

/**
 * Makes the gazetteer's file. `tools/build/gazetteer.ts` bundles this module and calls it.
 *
 * @param report receives the name of each step
 */
export default function gazetteerFile(report: (step: string) => void): Buffer {
  return encodeGazetteer(buildGazetteer(report));
}
