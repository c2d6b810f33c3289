/** `npm run extract <name>`: writes that folder's extract anew, from the versions that its `packages` names. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatExtract, type AnyExtract } from './format-extract.js';

const [name = ''] = process.argv.slice(2);
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
