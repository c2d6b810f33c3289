import { readFileSync } from 'node:fs';
import { DIST } from '../dist-folder.js';

/** Reads the Lua scripts with these names in `scripts/`, which the build copies, as one script. */
export function readScript(...names: string[]): string {
  const textOf = (name: string) => readFileSync(new URL(`redis/scripts/${name}.lua`, DIST), 'utf8');
  return names.map(textOf).join('');
}
