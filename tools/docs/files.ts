import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { configurationPage, envExample, withTables } from './render.js';

/** A document with its present text (empty if it is missing), and its text by the configuration. */
export interface Document {
  name: string;
  path: string;
  text: string;
  expected: string;
}

/** Returns every document with a table of variables or the credits of providers. Writes nothing. */
export async function documents(): Promise<Document[]> {
  return Promise.all([
    read('docs/configuration.md', () => configurationPage(), 'markdown'),
    read('README.md', withTables, 'markdown'),
    read('.env.example', () => envExample()),
  ]);
}

async function read(
  name: string,
  expect: (text: string) => string,
  parser?: 'markdown',
): Promise<Document> {
  const path = fileURLToPath(new URL(`../../${name}`, import.meta.url));
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const written = expect(text);
  const expected = parser
    ? await format(written, { ...(await resolveConfig(path)), parser })
    : written;
  return { name, path, text, expected };
}
