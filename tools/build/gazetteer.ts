import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { PACKAGES } from '../gazetteer/packages.js';
import { readIfThere, writeFile } from './files.js';

/** Maximum number of cache entries, of about 30 MB each: for branches and versions of Node.js. */
const MAX_ENTRIES = 4;
/** A cache entry begins with a SHA-256 of this number of bytes. */
const CHECKSUM_LENGTH = 32;

/** The program that makes the gazetteer's file, and the cache key of the file. */
export interface Recipe {
  /** One ES module. */
  program: string;
  /** The hash of everything that the file depends on. */
  key: string;
}

/**
 * Bundles the program that makes the gazetteer's file, so that the key covers every imported source
 * file, and the code that runs is the code of the key. The key also covers the packages with the
 * data, and the versions of Unicode and CLDR in Node.js.
 *
 * @param root the folder of the repository
 * @throws Error if the program imports a package that the key does not cover
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

/** Runs the program in this process. Returns the bytes. @param report receives each step */
export async function make(
  cache: string,
  { program, key }: Recipe,
  report: (step: string) => void,
): Promise<Buffer> {
  // The cache is in the folder of the repository, where the program finds its packages.
  const path = join(cache, `gazetteer-${key}.${process.pid}.mjs`);
  writeFile(path, Buffer.from(program));
  try {
    const { default: gazetteerFile } = (await import(pathToFileURL(path).href)) as {
      default: (report: (step: string) => void) => Promise<Buffer>;
    };
    return await gazetteerFile(report);
  } finally {
    rmSync(path, { force: true });
  }
}

/** Returns the bytes in the cache for a key; undefined if there are none, or they are damaged. */
export function readCache(cache: string, key: string): Buffer | undefined {
  const entry = readIfThere(entryPath(cache, key));
  const bytes = entry?.subarray(CHECKSUM_LENGTH);
  if (!entry || !bytes) return undefined;
  return checksum(key, bytes).equals(entry.subarray(0, CHECKSUM_LENGTH)) ? bytes : undefined;
}

/** Writes bytes for a key into the cache, and removes the oldest entries. */
export function writeCache(cache: string, key: string, bytes: Uint8Array): void {
  writeFile(entryPath(cache, key), Buffer.concat([checksum(key, bytes), bytes]));
  const entries = readdirSync(cache)
    .filter((name) => name.endsWith('.bin'))
    .map((name) => join(cache, name))
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time);
  for (const { path } of entries.slice(MAX_ENTRIES)) rmSync(path, { force: true });
}

function entryPath(cache: string, key: string): string {
  return join(cache, `gazetteer-${key}.bin`);
}

/** Computes a checksum that covers the key too, so that an entry with a wrong name is not valid. */
function checksum(key: string, bytes: Uint8Array): Buffer {
  return createHash('sha256').update(key).update(bytes).digest();
}
