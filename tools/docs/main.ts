/** `npm run docs:config`: writes the tables of variables and the credits of providers in the documents. */
import { writeFileSync } from 'node:fs';
import { documents } from './files.js';

const outdated = (await documents()).filter(({ text, expected }) => text !== expected);
for (const { name, path, expected } of outdated) {
  writeFileSync(path, expected);
  process.stdout.write(`${name} was updated\n`);
}
if (outdated.length === 0) process.stdout.write('every document is up to date\n');
