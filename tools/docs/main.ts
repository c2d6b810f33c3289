/** Writes what the documents say about the variables: `npm run docs:config`. */
import { writeFileSync } from 'node:fs';
import { documents } from './files.js';

for (const { name, path, text, expected } of await documents()) {
  if (text === expected) continue;
  writeFileSync(path, expected);
  process.stdout.write(`${name} is written anew\n`);
}
