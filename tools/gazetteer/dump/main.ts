/**
 * `npm run dump <cities1000.txt> <sha256> <cities.json>`: makes the list of newer names out of a file of GeoNames' own
 * dump, which https://download.geonames.org/export/dump/ has in an archive of its day. The build reads the files
 * cities1000.txt and cities500.txt themselves as they are; the packages that carry them add nothing.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { parseDump } from './parse.js';

const [from, sha256, to] = process.argv.slice(2);
if (from === undefined || sha256 === undefined || to === undefined) {
  console.error('npm run dump <unpacked file of the dump> <its SHA-256> <file to write>');
  process.exit(2);
}
const bytes = readFileSync(from);
const found = createHash('sha256').update(bytes).digest('hex');
if (found !== sha256) {
  console.error(`${from} has the SHA-256 ${found}`);
  process.exit(1);
}
const places = parseDump(bytes.toString('utf8'));
writeFileSync(to, JSON.stringify(places));
console.log(`${places.length} places of ${statSync(from).mtime.toISOString().slice(0, 10)}`);
