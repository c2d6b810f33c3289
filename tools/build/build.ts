import { join } from 'node:path';
import { compile } from './code.js';
import { removeOthers, writeFile } from './files.js';
import { make, readCache, recipe, writeCache } from './gazetteer.js';

/** The gazetteer's file in `dist`. */
const GAZETTEER = 'dist/places/gazetteer.bin';
/** Outside `dist`, so that nobody removes it who wants a clean build. */
const CACHE = '.cache';

/** Takes parts of the line that tells what is being built. */
type Say = (text: string) => void;

/** Brings all of `dist` up to date, and writes nothing there that is current. */
export async function build(root: string, say: Say): Promise<void> {
  const files = compile(root, join(root, 'dist'));
  for (const { path, contents } of files) writeFile(path, contents);
  await buildGazetteer(root, say);
  const kept = new Set([...files.map(({ path }) => path), join(root, GAZETTEER)]);
  removeOthers(join(root, 'dist'), kept);
}

/** Brings the gazetteer in `dist` up to date: from the cache, or by making it. */
export async function buildGazetteer(root: string, say: Say): Promise<void> {
  const cache = join(root, CACHE);
  const how = recipe(root);
  let bytes = readCache(cache, how.key);
  say(bytes ? 'the gazetteer is unchanged' : 'the gazetteer (some 15 s, only this once)');
  if (!bytes) {
    bytes = await make(cache, how);
    writeCache(cache, how.key, bytes);
  }
  writeFile(join(root, GAZETTEER), bytes);
}
