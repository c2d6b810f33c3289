import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { keyVariable, PROVIDERS } from '../../src/config/providers.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { EXPOSED_HEADERS } from '../../src/http/edge/exposed-headers.js';
import { endpointTable, exampleRequests, kindsPage, publicPaths } from './kinds.js';
import { configurationPage, credits, envExample } from './render.js';
import { replaced, replacedLines } from './tables.js';

/** A document with its present text (empty if it is missing), and its text by the code. */
export interface Document {
  name: string;
  path: string;
  text: string;
  expected: string;
}

/** The variables with the API keys of the providers. */
const KEY_VARIABLES = PROVIDERS.flatMap(([name, { apiKey }]) => (apiKey ? keyVariable(name) : []));

const keyOfSecret = (name: string) => [
  ...[`- name: ${name}`, '  valueFrom:', '    secretKeyRef:', '      name: weather'],
  ...[`      key: ${name}`, '      optional: true'],
];

/** The manifests that pass API keys to the processes, and their lines for one key. */
const MANIFESTS: Record<string, (name: string) => string[]> = {
  'k8s/base/api.yaml': keyOfSecret,
  'k8s/components/worker/worker.yaml': keyOfSecret,
};

/** Returns every document with a table that follows from the code. Writes nothing. */
export async function documents(): Promise<Document[]> {
  return Promise.all([
    read('docs/configuration.md', () => configurationPage(), 'markdown'),
    read('docs/kinds.md', kindsPage, 'markdown'),
    read(
      'README.md',
      (text) => replaced(replaced(text, 'credits', credits()), 'endpoints', endpointTable()),
      'markdown',
    ),
    read('docs/clients.md', (text) => replaced(text, 'examples', exampleRequests()), 'markdown'),
    read('.env.example', () => envExample()),
    read('docker-compose.yml', (text) =>
      replacedLines(text, 'Other variables', otherVariables(text)),
    ),
    read('k8s/nginx/weather.conf.template', (text) =>
      replacedLines(
        replacedLines(text, 'Exposed headers', [`default "${EXPOSED_HEADERS}";`]),
        'Public paths',
        [`location ~ ^/api/v1/(?:${publicPaths().join('|')})$ {`],
      ),
    ),
    ...Object.entries(MANIFESTS).map(([name, linesOf]) =>
      read(name, (text) => replacedLines(text, 'API keys', KEY_VARIABLES.flatMap(linesOf))),
    ),
  ]);
}

/** Returns the lines that pass the variables which the rest of docker-compose.yml does not set. */
function otherVariables(compose: string): string[] {
  const rest = compose.replace(/# Other variables: .*# end of Other variables/s, '');
  const set = Array.from(rest.matchAll(/^ +([A-Z_]+): /gm), ([, name]) => name);
  const others = VARIABLE_NAMES.filter((name) => !set.includes(name));
  return others.map((name) => `${name}: \${${name}:-}`);
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
