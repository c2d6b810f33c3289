import { join } from 'node:path';
import { compile } from './code.js';
import { removeOthers, writeFile } from './files.js';
import { noteBuild } from './freshness.js';
import { notices } from './notices.js';
import { make, readCache, recipe, writeCache } from './gazetteer.js';

/** The gazetteer's file in `dist`. */
const GAZETTEER = 'dist/places/gazetteer.bin';
/** The licences of its data, beside it. */
const NOTICES = 'dist/THIRD-PARTY-NOTICES.txt';
/** Both forms of the API description. */
const DESCRIPTION = 'dist/apispec.json';
const DESCRIPTION_3 = 'dist/openapi.json';
/** Outside `dist`, so that nobody removes it who wants a clean build. */
const CACHE = '.cache';

/** Takes parts of the line that tells what is being built. */
type Say = (text: string) => void;

/** Brings all of `dist` up to date, and writes nothing there that is current. */
export async function build(root: string, say: Say): Promise<void> {
  const begun = Date.now();
  const files = compile(root, join(root, 'dist'));
  for (const { path, contents } of files) writeFile(path, contents);
  await buildGazetteer(root, say);
  writeFile(join(root, NOTICES), notices(root));
  // The image builds the gazetteer before it has these sources.
  const { description, description3 } = await import('../openapi/index.js');
  writeFile(join(root, DESCRIPTION), Buffer.from(JSON.stringify(description)));
  writeFile(join(root, DESCRIPTION_3), Buffer.from(JSON.stringify(description3)));
  const kept = new Set([
    ...files.map(({ path }) => path),
    ...[GAZETTEER, NOTICES, DESCRIPTION, DESCRIPTION_3].map((path) => join(root, path)),
  ]);
  removeOthers(join(root, 'dist'), kept);
  noteBuild(root, begun);
}

/** Brings the gazetteer in `dist` up to date: from the cache, or by making it. */
export async function buildGazetteer(root: string, say: Say): Promise<void> {
  const cache = join(root, CACHE);
  const how = recipe(root);
  let bytes = readCache(cache, how.key);
  say(bytes ? 'the gazetteer is unchanged' : 'the gazetteer (only this once):');
  if (!bytes) {
    bytes = await make(cache, how, (part) => {
      say(` ${part}`);
    });
    writeCache(cache, how.key, bytes);
  }
  writeFile(join(root, GAZETTEER), bytes);
}
