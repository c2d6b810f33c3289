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
  /** What the cluster was asked for. Google's kubectl asks every cluster for its version first. */
  const asked: string[] = [];
  const cluster = createServer((request, response) => {
    if (!request.url?.startsWith('/version')) asked.push(request.url ?? '');
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

  /** With the variable set to this. @returns what it says, and how it ends */
  async function run(allowed: string): Promise<{ code: number; said: string }> {
    const env = {
      ...process.env,
      KUBECONFIG: join(folder, 'config'),
      KUBERNETES_TEST_CONTEXT: allowed,
    };
    const child = spawn('npm', ['run', '--silent', 'test:kubernetes'], { cwd: ROOT, env });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(child, 'close')) as [number];
    return { code, said };
  }

  it('refuses without the name of a context, and says what it needs', async () => {
    const { code, said } = await run('');
    assert.equal(code, 2);
    assert.match(said, /KUBERNETES_TEST_CONTEXT is not set/);
    assert.match(said, /deletes the namespaces weather-development, weather, /);
    assert.deepEqual(asked, []);
  });

  it('refuses a context that is not named for it, and does not ask its cluster', async () => {
    const { code, said } = await run('kind-weather');
    assert.equal(code, 2);
    assert.match(said, /current context is "production-eu", and .* allows "kind-weather"/);
    assert.deepEqual(asked, []);
  });

  it('asks a cluster that is named for it', async () => {
    const { code, said } = await run('eu');
    assert.equal(code, 2);
    assert.match(said, /cluster of "production-eu" does not answer/);
    assert.ok(asked.length > 0);
  });
});
