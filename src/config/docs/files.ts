import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { envExample, withTable } from './render.js';

/** The documents that name every variable: the one with the table, and `.env.example`. */
const WITH_TABLE = 'README.md';
const EXAMPLE = '.env.example';

/** A document as it stands, and as it should be. */
export interface Document {
  name: string;
  path: string;
  text: string;
  expected: string;
}

/** Both documents; nothing is written. */
export async function documents(): Promise<Document[]> {
  const table = await read(WITH_TABLE, async (text, path) =>
    format(withTable(text), { ...(await resolveConfig(path)), parser: 'markdown' }),
  );
  return [table, await read(EXAMPLE, envExample)];
}

async function read(
  name: string,
  expect: (text: string, path: string) => string | Promise<string>,
): Promise<Document> {
  const path = fileURLToPath(new URL(`../../../${name}`, import.meta.url));
  const text = readFileSync(path, 'utf8');
  return { name, path, text, expected: await expect(text, path) };
}
