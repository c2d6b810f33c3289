import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { description3 } from '../../tools/openapi/index.js';
import { blocksOf } from '../support/markdown.js';
import { startProcesses } from '../support/stack.js';

const PAGE = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
const WRITTEN_FOR = 'http://localhost:8080';
const run = promisify(execFile);

describe('the typed client of docs/clients.md', () => {
  const [program = ''] = blocksOf(PAGE, 'ts');
  const COMPILER = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const TSX = import.meta.resolve('tsx');
  let folder: string;

  before(async () => {
    // In the repository, so that the program finds its package.
    folder = await mkdtemp(fileURLToPath(new URL('../../.cache/client-', import.meta.url)));
    const types = await openapiTS(JSON.stringify(description3));
    await writeFile(join(folder, 'api.d.ts'), astToString(types));
  });
  after(() => rm(folder, { recursive: true }));

  it('compiles', async () => {
    await writeFile(join(folder, 'program.mts'), program);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const also = ['--skipLibCheck', '--types', 'node', '--ignoreConfig', 'program.mts'];
    await run(process.execPath, [COMPILER, ...options, ...also], { cwd: folder });
  });

  it('has six lines, and prints the weather', async (t) => {
    assert.equal(program.trim().split('\n').length, 6);
    const processes = await startProcesses(t, { replicas: 1, workers: 0 });
    await writeFile(join(folder, 'client.mts'), program.replace(WRITTEN_FOR, processes.url('')));
    const { stdout } = await run(process.execPath, ['--import', TSX, 'client.mts'], {
      cwd: folder,
    });
    assert.match(stdout, /^Oslo: -?\d+(\.\d)? °C\n$/);
  });
});
