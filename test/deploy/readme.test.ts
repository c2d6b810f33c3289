import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { commandsOf } from '../support/markdown.js';
import { ensureCommand } from '../support/packages.js';
import { providersAt, type LogRecord } from '../support/service.js';
import { startStubProvider, type StubProvider } from '../support/stub-provider.js';

/**
 * Runs the commands of the README in a copy of this folder, with the installed packages, the built
 * gazetteer, and a free port.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LEFT_OUT = new Set(['.cache', '.git', 'dist', 'node_modules']);
const START = 'npm ci && npm start';

let folder: string;
let stub: StubProvider;
let service: ChildProcess;
let address: string;
/** The commands of the README, in order. */
let commands: string[];

/** Whether a command needs a container engine. `test/compose` runs the same image and stack. */
const isForContainers = (command: string) => command.includes('docker ');

/** Runs a command. @returns the JSON after the headers @throws if the request fails */
async function outcomeOf(command: string): Promise<unknown> {
  const here = command.replace('http://localhost:8080', address);
  const options = { cwd: folder, env: { ...process.env, CURL_HOME: folder } };
  const { stdout } = await promisify(execFile)('sh', ['-c', here], options);
  return JSON.parse(stdout.split('\r\n\r\n').at(-1) ?? '');
}

const firstRequest = () => commands.find((command) => command.startsWith('curl')) ?? '';

before(async () => {
  ensureCommand('curl', 'curl');
  commands = commandsOf(await readFile(join(ROOT, 'README.md'), 'utf8'));
  folder = await mkdtemp(join(tmpdir(), 'weather-readme-'));
  const filter = (path: string) => !LEFT_OUT.has(relative(ROOT, path));
  await cp(ROOT, folder, { recursive: true, filter });
  for (const name of ['.cache', 'node_modules'])
    await symlink(join(ROOT, name), join(folder, name));
  await writeFile(join(folder, '.curlrc'), 'fail\nsilent\nshow-error\n');
  stub = await startStubProvider();
  service = spawn('npm', ['start'], {
    cwd: folder,
    // The service ends with npm and its shell.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      ...providersAt(stub.url),
    },
  });
  for await (const line of createInterface({ input: service.stdout! })) {
    if (!line.includes('"server_started"')) continue;
    address = String((JSON.parse(line) as LogRecord)['address']);
    break;
  }
});

after(async () => {
  process.kill(-service.pid!, 'SIGTERM');
  await once(service, 'exit');
  await stub.close();
  await rm(folder, { recursive: true });
});

describe('the README', () => {
  it('starts the service by its first command, which runs in a checkout', () => {
    assert.equal(commands[0], START);
    assert.match(address, /^http:/);
  });

  it('shows the provider in its first response, because the weather may be invented', () => {
    assert.match(firstRequest(), /^curl -i /);
  });

  it('has one command for a container and one for Compose, whose secrets are set', async () => {
    const [container = '', compose = ''] = commands.filter(isForContainers);
    const [built, run] = container.split(' && ');
    const [, , , image = ''] = built?.split(' ') ?? [];
    assert.equal(built, `docker build -t ${image} .`);
    assert.match(run ?? '', new RegExp(`^docker run .*-e NODE_ENV=development ${image}$`));
    const [secrets = '', start] = compose.split(' && ');
    assert.equal(start, 'docker compose up -d --build --wait');
    await promisify(execFile)('sh', ['-c', secrets], { cwd: folder });
    assert.equal((await stat(join(folder, '.env'))).mode & 0o77, 0, 'others can read the secrets');
    const written = await readFile(join(folder, '.env'), 'utf8');
    assert.match(written, /^SESSION_SECRET_KEY=[0-9a-f]{64}\nREDIS_PASSWORD=[0-9a-f]{64}\n$/);
  });

  it('has a first request that succeeds', async () => {
    assert.equal(Object.keys((await outcomeOf(firstRequest())) as object)[0], 'location');
  });
});
