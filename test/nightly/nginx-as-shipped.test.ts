import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { suiteLifetime } from '../support/lifetime.js';
import { ensureCommand } from '../support/packages.js';
import { ROOT } from '../deploy/compose-file.js';

/** Other tests leave out what the nginx of this machine does not know yet, such as `resolve`. */
describe('the files of nginx, each where Compose mounts it', () => {
  const lifetime = suiteLifetime();
  let root: string;
  const check = () => {
    const { status, stderr } = spawnSync('chroot', [root, 'nginx', '-t'], { encoding: 'utf8' });
    return { status, stderr };
  };

  before(() => {
    ensureCommand('debootstrap', 'debootstrap');
    const folder = mkdtempSync(join(tmpdir(), 'weather-sid-'));
    lifetime.after(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    root = join(folder, 'root');
    // Debian's newest nginx: of the same age as the image's.
    const args = ['--variant=minbase', '--include=nginx-light', 'sid', root];
    const { status, stdout } = spawnSync('debootstrap', args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
    // In a container these two lead to /proc, which is empty here.
    for (const name of ['stdout', 'stderr']) {
      rmSync(join(root, 'dev', name), { force: true });
      writeFileSync(join(root, 'dev', name), '');
    }
  });

  it('are accepted as they are', () => {
    const nginx = join(ROOT, 'k8s/nginx');
    cpSync(join(nginx, 'nginx.conf'), join(root, 'etc/nginx/nginx.conf'));
    cpSync(join(nginx, 'own-answer.conf'), join(root, 'etc/nginx/own-answer.conf'));
    const template = readFileSync(join(nginx, 'weather.conf.template'), 'utf8');
    assert.match(template, /^ *server api:8080 resolve /m);
    writeFileSync(
      join(root, 'etc/nginx/conf.d/weather.conf'),
      template.replaceAll('${CORS_ORIGINS}', 'https://app.example'),
    );
    const { status, stderr } = check();
    assert.equal(status, 0, stderr);
  });

  it("are accepted for the filter of Docker's socket, too", () => {
    cpSync(join(ROOT, 'k8s/observability/docker-proxy.conf'), join(root, 'etc/nginx/nginx.conf'));
    const { status, stderr } = check();
    assert.equal(status, 0, stderr);
  });
});
