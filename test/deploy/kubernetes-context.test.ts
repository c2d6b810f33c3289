import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ROOT } from './compose-file.js';
import { ensureKubectl } from './kubectl.js';

describe('npm run test:kubernetes, which deletes namespaces', () => {
  let folder: string;
  /** The requests to the cluster, without those for its version, which some kubectl send first. */
  const requests: string[] = [];
  const cluster = createServer((request, response) => {
    if (!request.url?.startsWith('/version')) requests.push(request.url ?? '');
    response.writeHead(403).end();
  });

  before(async () => {
    ensureKubectl();
    folder = mkdtempSync(join(tmpdir(), 'weather-context-'));
    cluster.listen(0, '127.0.0.1');
    await once(cluster, 'listening');
    const { port } = cluster.address() as AddressInfo;
    const name = 'production-eu';
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': name },
      clusters: [{ name, cluster: { server: `http://127.0.0.1:${port}` } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      users: [{ name, user: {} }],
    };
    writeFileSync(join(folder, 'config'), JSON.stringify(config));
  });
  after(() => {
    cluster.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the command with the variable KUBERNETES_TEST_CONTEXT. @returns its exit code and output */
  async function run(allowed: string): Promise<{ code: number; output: string }> {
    const env = {
      ...process.env,
      KUBECONFIG: join(folder, 'config'),
      KUBERNETES_TEST_CONTEXT: allowed,
    };
    const child = spawn('npm', ['run', '--silent', 'test:kubernetes'], { cwd: ROOT, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  it('rejects an absent name of a context, and prints what it needs', async () => {
    const { code, output } = await run('');
    assert.equal(code, 2);
    assert.match(output, /KUBERNETES_TEST_CONTEXT is not set/);
    assert.match(output, /deletes the namespaces weather-development, weather, /);
    assert.deepEqual(requests, []);
  });

  it('rejects a context with another name, and sends no request to its cluster', async () => {
    const { code, output } = await run('kind-weather');
    assert.equal(code, 2);
    assert.match(output, /current context is "production-eu", and .* allows "kind-weather"/);
    assert.deepEqual(requests, []);
  });

  it('sends requests to the cluster of the named context', async () => {
    const { code, output } = await run('eu');
    assert.equal(code, 2);
    assert.match(output, /cluster of "production-eu" does not answer/);
    assert.ok(requests.length > 0);
  });
});
