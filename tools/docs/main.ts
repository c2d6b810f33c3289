/** `npm run docs:config`: writes the tables of variables and the credits of providers in the documents. */
import { writeFileSync } from 'node:fs';
import { documents } from './files.js';

for (const { name, path, text, expected } of await documents()) {
  if (text === expected) continue;
  writeFileSync(path, expected);
  process.stdout.write(`${name} was updated\n`);
}
