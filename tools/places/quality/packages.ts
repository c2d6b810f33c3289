import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The packages that only the accuracy report needs, 166 MB. Nobody needs them for building, so they
 * have a package list of their own, and are installed when the report first asks for one.
 */
const FOLDER = fileURLToPath(new URL('packages/', import.meta.url));
const LIST = join(FOLDER, 'package-lock.json');
/** npm writes it at the end of an installation. */
const INSTALLED = join(FOLDER, 'node_modules/.package-lock.json');

const require = createRequire(FOLDER);

/** What a file of a package exports. */
export function load(file: string): unknown {
  install();
  return require(file);
}

function install(): void {
  if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LIST).mtimeMs) return;
  console.log('The accuracy report needs cities from other sources: installing their packages');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...options, '--prefix', FOLDER], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
