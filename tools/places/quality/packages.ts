import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The packages for the accuracy report, 166 MB. The build does not need them, so they have a package.json of their own
 * and are installed on first use.
 */
const FOLDER = fileURLToPath(new URL('packages/', import.meta.url));
const LIST = join(FOLDER, 'package-lock.json');
/** npm writes this file at the end of an installation. */
const INSTALLED = join(FOLDER, 'node_modules/.package-lock.json');

const require = createRequire(FOLDER);

/** Loads what a file of a package exports. Installs the packages if necessary. */
export function load(file: string): unknown {
  install();
  return require(file);
}

function install(): void {
  if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LIST).mtimeMs) return;
  console.log('Installing the packages with independent sources for the accuracy report');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...options, '--prefix', FOLDER], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
