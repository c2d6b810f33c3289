import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES } from '../gazetteer/packages.js';

/** The document and the heading with the sources of the gazetteer and their licenses. */
const TABLE = { path: 'src/places/README.md', heading: '## Sources and licenses' };

const HEAD = `THIRD-PARTY NOTICES

The gazetteer in this service is made from the data below. The licenses that require it follow in full, then the licenses
of the npm packages whose code is part of the files of this service. The licenses of the other packages are in
node_modules. The attribution of weather data is in the header X-Weather-Attribution of each response.

Texts of the licenses that are given by their addresses:
CC BY 4.0 https://creativecommons.org/licenses/by/4.0/legalcode
CC BY-SA 3.0 https://creativecommons.org/licenses/by-sa/3.0/legalcode
ODbL 1.0 https://opendatacommons.org/licenses/odbl/1-0/
`;

/**
 * Returns the notices for the image and the documentation: the sources of the data, and every
 * license file beside an extract or in a package with data of the gazetteer, or in a bundled
 * package.
 *
 * @param root the folder of the repository
 * @param bundled the folders of the bundled packages
 * @throws if a bundled package has no license file
 */
export function notices(root: string, bundled: readonly string[]): Buffer {
  const texts = licenses(root, bundled).map(
    ({ name, text }) => `\n${'='.repeat(80)}\n${name}\n\n${text.trim()}\n`,
  );
  return Buffer.from(`${HEAD}\n${sources(root)}\n${texts.join('')}`);
}

function sources(root: string): string {
  const text = readFileSync(join(root, TABLE.path), 'utf8');
  const section = text.slice(text.indexOf(TABLE.heading)).split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| +(.+?) +\| +(.+?) +\|$/gm)].slice(2);
  if (rows.length === 0) throw new Error(`${TABLE.path} has no table of sources`);
  return rows
    .map(
      ([, data = '', source = '']) =>
        `- ${data}: ${source.replace(/\[(.+?)\]\((.+?)\)/g, '$1 <$2>')}`,
    )
    .join('\n');
}

/** Returns the licenses with their titles. */
function licenses(root: string, bundled: readonly string[]): { name: string; text: string }[] {
  const extracts = readdirSync(join(root, 'tools/gazetteer'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name: `Extract of ${name}`, folder: join('tools/gazetteer', name) }));
  const packages = [...PACKAGES.map((name) => join('node_modules', name)), ...bundled].map(
    (folder) => ({ name: `Package ${folder.replace(/^.*node_modules\//, '')}`, folder }),
  );
  return [...extracts, ...packages].flatMap(({ name, folder }) => {
    const texts = licenseTexts(join(root, folder));
    if (texts.length === 0 && bundled.includes(folder)) throw new Error(`${name} has no license`);
    return texts.map((text) => ({ name, text }));
  });
}

/** Returns the license files of a folder. If there is none, the section of its README. */
function licenseTexts(folder: string): string[] {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const names = readdirSync(folder).sort();
  const files = names.filter((name) => /^(licen[cs]e|copying|notice)([-.]\w+)?$/i.test(name));
  if (files.length > 0) return files.map(read);
  const readme = names.includes('README.md') ? read('README.md') : '';
  return /^#* *licen[cs]e$[^]*/im.exec(readme) ?? [];
}
