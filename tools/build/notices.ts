import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES } from '../gazetteer/packages.js';

/** The document and the heading of the table with the sources of the gazetteer and their licenses. */
const TABLE = { path: 'src/places/README.md', heading: '## Sources and licenses' };

const HEAD = `THIRD-PARTY NOTICES

The gazetteer in this service is made from the data below. The licenses that require it follow in full. The licenses of
the npm packages are in node_modules. The attribution of weather data is in the header X-Weather-Attribution of each
response.

Texts of the licenses that are given by their addresses:
CC BY 4.0 https://creativecommons.org/licenses/by/4.0/legalcode
CC BY-SA 3.0 https://creativecommons.org/licenses/by-sa/3.0/legalcode
ODbL 1.0 https://opendatacommons.org/licenses/odbl/1-0/
`;

/**
 * Returns the notices for the image and the documentation: the sources of the data, and every license file beside an
 * extract or in a package with data of the gazetteer.
 *
 * @param root the folder of the repository
 */
export function notices(root: string): Buffer {
  const texts = licenseFiles(root).map(
    ({ name, path }) => `\n${'='.repeat(80)}\n${name}\n\n${readFileSync(path, 'utf8').trim()}\n`,
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

/** Lists the license files with their titles. */
function licenseFiles(root: string): { name: string; path: string }[] {
  const extracts = readdirSync(join(root, 'tools/gazetteer'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name: `Extract of ${name}`, folder: join('tools/gazetteer', name) }));
  const packages = PACKAGES.map((name) => ({
    name: `Package ${name}`,
    folder: join('node_modules', name),
  }));
  return [...extracts, ...packages].flatMap(({ name, folder }) =>
    readdirSync(join(root, folder))
      .filter((file) => /^(licen[cs]e|copying|notice)(\.\w+)?$/i.test(file))
      .sort()
      .map((file) => ({ name, path: join(root, folder, file) })),
  );
}
