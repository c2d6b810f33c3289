import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { PACKAGES } from '../gazetteer/packages.js';
import { readIfThere, writeFile } from './files.js';

/** A few, each of some 30 MB, because people change branches and versions of Node.js and come back. */
const KEPT = 4;
/** An entry of the cache is the SHA-256 of what follows, then the file. */
const CHECKSUM_LENGTH = 32;

/** How to make the gazetteer, and the hash of everything that it depends on. */
export interface Recipe {
  /** The program that makes the file, as one ES module. */
  program: string;
  key: string;
}

/**
 * Bundles the program that makes the gazetteer's file. So the key covers every source file that it imports,
 * also those of `src`, and the code that runs is the code of the key. The rest of the key: the packages that
 * the data come from, and the tables of Unicode and CLDR in Node.js.
 *
 * @param root the repository's folder
 * @throws Error when the program imports a package that the key does not cover
 */
export function recipe(root: string): Recipe {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ['tools/gazetteer/main.ts'],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  for (const { path } of output?.imports ?? []) {
    if (!path.startsWith('node:') && !PACKAGES.some((name) => name === path)) {
      throw new Error(`tools/gazetteer/packages.ts does not name ${path}`);
    }
  }
  const program = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(program);
  const { icu, unicode, cldr } = process.versions;
  hash.update(JSON.stringify({ icu, unicode, cldr }));
  for (const name of PACKAGES) hashFolder(join(root, 'node_modules', name));
  return { program, key: hash.digest('hex').slice(0, 32) };

  function hashFolder(folder: string): void {
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const file = join(folder, path);
      if (!statSync(file).isFile()) continue;
      hash.update(`\0${path}\0`);
      hash.update(readFileSync(file));
    }
  }
}

/** Runs the program in this process and gives the bytes of the file. @param say is told what it begins with */
export async function make(
  cache: string,
  { program, key }: Recipe,
  say: (part: string) => void,
): Promise<Buffer> {
  // The cache is below the repository's folder: there the program finds its packages.
  const path = join(cache, `gazetteer-${key}.${process.pid}.mjs`);
  writeFile(path, Buffer.from(program));
  try {
    const { default: gazetteerFile } = (await import(pathToFileURL(path).href)) as {
      default: (say: (part: string) => void) => Buffer;
    };
    return gazetteerFile(say);
  } finally {
    rmSync(path, { force: true });
  }
}

/** The bytes that the cache has for a key; undefined when it has none, or others than were written. */
export function readCache(cache: string, key: string): Buffer | undefined {
  const entry = readIfThere(entryPath(cache, key));
  const bytes = entry?.subarray(CHECKSUM_LENGTH);
  if (!entry || !bytes) return undefined;
  return checksum(key, bytes).equals(entry.subarray(0, CHECKSUM_LENGTH)) ? bytes : undefined;
}

/** Keeps bytes for a key, and removes what is too old. */
export function writeCache(cache: string, key: string, bytes: Uint8Array): void {
  writeFile(entryPath(cache, key), Buffer.concat([checksum(key, bytes), bytes]));
  const entries = readdirSync(cache)
    .filter((name) => name.endsWith('.bin'))
    .map((name) => join(cache, name))
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time);
  for (const { path } of entries.slice(KEPT)) rmSync(path, { force: true });
}

function entryPath(cache: string, key: string): string {
  return join(cache, `gazetteer-${key}.bin`);
}

/** It covers the key too: an entry under a wrong name is no entry. */
function checksum(key: string, bytes: Uint8Array): Buffer {
  return createHash('sha256').update(key).update(bytes).digest();
}
