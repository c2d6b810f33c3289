import { encodeGazetteer } from '../../src/places/gazetteer-file.js';
import { buildGazetteer } from './build.js';

/** The bytes of the gazetteer's file. `tools/build/gazetteer.ts` bundles this module and calls it. */
export default function gazetteerFile(say: (part: string) => void): Buffer {
  return encodeGazetteer(buildGazetteer(say));
}
