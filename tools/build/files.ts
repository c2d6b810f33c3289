import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The bytes of a file; undefined when it cannot be read. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Writes a file unless it has these bytes already. Renaming is atomic: whoever reads the file meanwhile
 * gets the old bytes or the new ones, never half of them, however many processes write it.
 */
export function writeFile(path: string, bytes: Uint8Array): void {
  if (readIfThere(path)?.equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, path);
}

/** Removes every file below a folder that is not one of these: what a deleted source has left. */
export function removeOthers(folder: string, kept: Set<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    // Another build may be about to rename its temporary file.
    if (entry.isFile() && !kept.has(path) && !path.endsWith('.tmp')) rmSync(path, { force: true });
  }
}
