/** `npm run extract <name>`: writes the extract of that folder from the packages in its package.json. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatExtract, type AnyExtract } from './format-extract.js';

const names = readdirSync(new URL('.', import.meta.url)).filter((name) =>
  existsSync(new URL(`${name}/extract.ts`, import.meta.url)),
);
const given = process.argv.slice(2);
const [name = ''] = given;
if (given.length !== 1 || !names.includes(name)) {
  console.error(`npm run extract <name>, where <name> is one of: ${names.join(', ')}.`);
  console.error('It installs the packages of that folder and writes its extract.');
  process.exit(2);
}
const folder = new URL(`${name}/`, import.meta.url);
const packages = fileURLToPath(new URL('packages/', folder));

execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: packages,
  stdio: 'inherit',
});
const { extract } = (await import(new URL('extract.ts', folder).href)) as {
  extract: (modules: string) => AnyExtract | Promise<AnyExtract>;
};
writeFileSync(
  new URL(`${name}.json`, folder),
  formatExtract(await extract(`${packages}node_modules`)),
);
