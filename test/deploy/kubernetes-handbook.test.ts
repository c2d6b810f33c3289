import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { makeCertificate } from '../support/certificate.js';
import { codeIn, commandsOf, rowsOf, sectionOf } from '../support/markdown.js';
import { ROOT } from './compose-file.js';
import { deployHandbook, renderHandbookOverlay } from './handbook-overlay.js';
import { ensureKubectl, render } from './kubectl.js';
import { environmentOf, secretKeysOf, service, type Labels } from './kubernetes-objects.js';

/** The handbook's section about Kubernetes fits the manifests. `npm run test:kubernetes` runs its commands on a cluster. */

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const commandsIn = (section: string) => commandsOf(sectionOf(deployHandbook, section));

/** The object that a command `kubectl create` of a section makes. kubectl itself runs the command. */
function made(section: string, what: string, cwd?: string): { data: Labels } {
  ensureKubectl();
  const lines = commandsIn(section).filter(
    (line) => /^\w+=/.test(line) || line.includes(` create ${what} `),
  );
  const script = `${lines.join('\n')} --dry-run=client -o json`;
  return JSON.parse(execFileSync('bash', ['-euc', script], { encoding: 'utf8', cwd })) as {
    data: Labels;
  };
}

function secretOf(section: string): Labels {
  const { data } = made(section, 'secret generic weather');
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

for (const [overlay, section] of [
  ['development', '### Development'],
  ['production', '### Production'],
] as const) {
  describe(`the handbook's commands for ${overlay}`, () => {
    it('create a Secret with which both processes start', () => {
      const objects = render(`overlays/${overlay}`);
      const secret = secretOf(section);
      for (const { role, container } of service(objects)) {
        loadConfig(environmentOf(container, objects, secret), role);
      }
    });
  });
}

describe('the handbook about Kubernetes', () => {
  it('builds the image that the pods of the development overlay run', () => {
    const [built] = commandsIn('### Development').filter((line) => line.startsWith('docker build'));
    for (const { container } of service(render('overlays/development'))) {
      assert.ok(built?.includes(`-t ${container.image} `), `${built}, ${container.image}`);
    }
  });

  it('creates certificate, registry password and private authority by commands that kubectl accepts', async (t) => {
    const { key, cert } = await makeCertificate(t);
    const folder = mkdtempSync(join(tmpdir(), 'weather-typed-'));
    t.after(() => {
      rmSync(folder, { recursive: true });
    });
    cpSync(key, join(folder, 'tls.key'));
    for (const name of ['tls.crt', 'my-authority.pem']) cpSync(cert, join(folder, name));
    const keysOf = (what: string) => Object.keys(made('### Production', what, folder).data);
    assert.deepEqual(keysOf('secret tls'), ['tls.crt', 'tls.key']);
    assert.deepEqual(keysOf('secret docker-registry'), ['.dockerconfigjson']);
    assert.deepEqual(keysOf('configmap'), ['ca.crt']);
  });

  it('mounts the certificate of the private authority into both processes', () => {
    const objects = renderHandbookOverlay();
    const [, name] = /create configmap (\S+) --from-file=ca\.crt=/.exec(deployHandbook) ?? [];
    for (const { container, spec } of service(objects)) {
      const volume = spec.volumes.find(({ configMap }) => configMap.name === name);
      const mount = container.volumeMounts.find((each) => each.name === volume?.name);
      assert.equal(environmentOf(container, objects)['REDIS_TLS_CA'], `${mount?.mountPath}/ca.crt`);
    }
  });
});

describe('the Secret of Kubernetes', () => {
  const objects = render('overlays/production');
  /** The names of secret variables. REDIS_TLS_KEY is the path of a file. */
  const secrets = VARIABLE_NAMES.filter(
    (name) => /SECRET|PASSWORD|TOKEN|KEY$|^REDIS_URL$/.test(name) && name !== 'REDIS_TLS_KEY',
  );

  it('may contain every secret variable, and no other', () => {
    const [api = assert.fail(), worker = assert.fail()] = service(objects).map(({ container }) =>
      secretKeysOf(container),
    );
    assert.deepEqual([...api.must, ...api.may].sort(), [...secrets].sort());
    // Workers sign no cookies.
    const ofWorkers = secrets.filter((name) => name !== 'SESSION_SECRET_KEY');
    assert.deepEqual([...worker.must, ...worker.may].sort(), ofWorkers.sort());
    assert.deepEqual(api.must, ['SESSION_SECRET_KEY', 'REDIS_URL']);
    assert.deepEqual(worker.must, ['REDIS_URL']);
    const [, listed = ''] =
      /\*\*The Secret\.\*\* It may also have ([^.]*)\./.exec(deployHandbook) ?? [];
    assert.deepEqual(codeIn(listed), api.may);
  });

  it('still starts both processes after the change that the handbook describes', () => {
    const section = sectionOf(
      read('docs/operations/upgrade.md'),
      '## Change the Secret of Kubernetes',
    );
    const [command = ''] = commandsOf(section);
    const [, patch = ''] =
      /^kubectl -n weather patch secret weather -p '(.*)'$/.exec(command) ?? [];
    const { stringData } = JSON.parse(patch) as { stringData: Labels };
    const secret = { ...secretOf('### Production'), ...stringData };
    for (const { role, container } of service(objects)) {
      loadConfig(environmentOf(container, objects, secret), role);
    }
  });
});

describe('the memory request of a pod', () => {
  it('is at most a quarter more than the measurement in docs/performance.md', () => {
    const targets = rowsOf(sectionOf(read('docs/performance.md'), '## The table of targets'));
    const rows = { api: 'memory of a replica under load', worker: 'memory of a worker after' };
    for (const { role, container } of service(render('overlays/production'))) {
      const row = targets.find(([first]) => first?.startsWith(rows[role]));
      const measured = Number(/^(\d+) MB$/.exec(row?.[2] ?? '')?.[1]) * 1e6;
      const requested = parseInt(container.resources.requests['memory'] ?? '') * 2 ** 20;
      const fits = requested >= measured && requested < 1.25 * measured;
      assert.ok(fits, `${role}: ${requested} requested, ${measured} measured`);
    }
  });
});
