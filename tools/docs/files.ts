import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { endpointTable, kindsPage } from './kinds.js';
import { configurationPage, envExample, withTables } from './render.js';
import { replaced } from './tables.js';

/** A document with its present text (empty if it is missing), and its text by the code. */
export interface Document {
  name: string;
  path: string;
  text: string;
  expected: string;
}

/** Returns every document with a table that follows from the code. Writes nothing. */
export async function documents(): Promise<Document[]> {
  return Promise.all([
    read('docs/configuration.md', () => configurationPage(), 'markdown'),
    read('docs/kinds.md', kindsPage, 'markdown'),
    read(
      'README.md',
      (text) => replaced(withTables(text), 'endpoints', endpointTable()),
      'markdown',
    ),
    read('.env.example', () => envExample()),
  ]);
}

async function read(
  name: string,
  expect: (text: string) => string | Promise<string>,
  parser?: 'markdown',
): Promise<Document> {
  const path = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const written = await expect(text);
  const expected = parser
    ? await format(written, { ...(await resolveConfig(path)), parser })
    : written;
  return { name, path, text, expected };
}
