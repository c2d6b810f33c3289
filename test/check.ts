import { exec } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * `npm run check`: format, types, lint, and unit tests at the same time. It needs nothing but Node.js. `.cache/` has
 * the results for files that did not change. ESLint's cache does not notice a changed type in another file;
 * `npm run lint` and CI do not use it.
 */
const COMMANDS = [
  'prettier --check --cache --cache-location .cache/prettier .',
  'npm run --silent types',
  'eslint --cache --cache-location .cache/eslint .',
  'npm run --silent test:unit',
];
/** Bytes of output per command. */
const MAX_OUTPUT = 64 * 1024 * 1024;

async function check(command: string): Promise<void> {
  try {
    await promisify(exec)(command, { maxBuffer: MAX_OUTPUT });
    console.log(`ok  ${command}`);
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    console.log(`\n== ${command} failed\n${stdout}${stderr}`);
    process.exitCode = 1;
  }
}

await Promise.all(COMMANDS.map(check));
