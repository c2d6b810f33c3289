/** `npm run docs:config`: writes the parts of documents that follow from the code. */
import { writeFileSync } from 'node:fs';
import { documents } from './files.js';

const outdated = (await documents()).filter(({ text, expected }) => text !== expected);
for (const { name, path, expected } of outdated) {
  writeFileSync(path, expected);
  process.stdout.write(`${name} was updated\n`);
}
if (outdated.length === 0) process.stdout.write('every document is up to date\n');
