/** Writes the gazetteer's file: a part of `npm run build`. It needs the development packages. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeGazetteer, GAZETTEER_FILE } from '../../src/places/gazetteer-file.js';
import { buildGazetteer } from './build.js';

const data = buildGazetteer();
const bytes = encodeGazetteer(data);
const path = fileURLToPath(GAZETTEER_FILE);
mkdirSync(new URL('.', GAZETTEER_FILE), { recursive: true });
// Renaming is atomic: another process reads the old file or the new one, never half of it.
const temporary = `${path}.${process.pid}.tmp`;
writeFileSync(temporary, bytes);
renameSync(temporary, path);
const megabytes = (bytes.length / 1e6).toFixed(1);
process.stdout.write(
  `${path}: ${data.latitude.length} places, ${data.keys.length} names, ${megabytes} MB\n`,
);
