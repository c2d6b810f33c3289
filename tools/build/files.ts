import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the bytes of a file, or undefined if it cannot be read. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Writes a file unless it already has these bytes. The file is renamed into place, which is atomic:
 * a concurrent reader gets the old bytes or the new ones, even if several processes write the file.
 */
export function writeFile(path: string, bytes: Uint8Array): void {
  if (readIfThere(path)?.equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, path);
}

/** Removes all other files below a folder, such as those of deleted sources. */
export function removeOthers(folder: string, current: Set<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    // Another build may be about to rename its temporary file.
    const isOther = entry.isFile() && !current.has(path) && !path.endsWith('.tmp');
    if (isOther) rmSync(path, { force: true });
  }
}
