import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { makeCertificate } from '../support/certificate.js';
import { blocksOf, codeIn, commandsOf, rowsOf, sectionOf } from '../support/markdown.js';
import { ROOT } from './compose-file.js';
import { ensureKubectl, K8S, render, type KubernetesObject } from './kubectl.js';
import { schemaFaults } from './kubernetes-schema.js';
import { environmentOf, named, secretKeysOf, service, type Labels } from './objects.js';

/** What the handbook says of Kubernetes, beside the manifests. `npm run test:kubernetes` types it on a cluster. */

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const deploy = read('docs/operations/deploy.md');

/** What a command `kubectl create` in a section of the handbook makes, by kubectl itself. */
function made(section: string, what: string, cwd?: string): { data: Labels } {
  ensureKubectl();
  const lines = commandsOf(sectionOf(deploy, section)).filter(
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

const BLOCKS = [
  ['development', '### Development'],
  ['production', '### Production'],
] as const;

for (const [overlay, section] of BLOCKS) {
  describe(`the handbook's commands for ${overlay}`, () => {
    const objects = render(`overlays/${overlay}`);
    const commands = commandsOf(sectionOf(deploy, section));

    it('make the namespace by its own file, before all else in it', () => {
      const [first] = commands.filter((line) => line.startsWith('kubectl'));
      assert.equal(first, `kubectl apply -f k8s/overlays/${overlay}/namespace.yaml`);
      assert.ok(commands.includes(`kubectl apply -k k8s/overlays/${overlay}`));
    });

    it('make a Secret with which both processes start', () => {
      const secret = secretOf(section);
      for (const { role, container } of service(objects)) {
        loadConfig(environmentOf(container, objects, secret), role);
      }
    });

    it('bring the image under the name and tag that the pods have', () => {
      const [built] = commands.filter((line) => line.startsWith('docker build'));
      for (const { container } of service(objects)) {
        assert.ok(built?.includes(`-t ${container.image} `), `${built}, ${container.image}`);
      }
    });
  });
}

describe('what production may need besides', () => {
  it('is made by the commands as they stand: certificate, password of a registry, authority', async (t) => {
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
});

describe('the Secret of Kubernetes', () => {
  const objects = render('overlays/production');
  /** Names that say so. A file's name is none. */
  const secrets = VARIABLE_NAMES.filter(
    (name) => /SECRET|PASSWORD|TOKEN|KEY$|^REDIS_URL$/.test(name) && name !== 'REDIS_TLS_KEY',
  );

  it('may hold every variable that is secret, and no other', () => {
    const keys = Object.fromEntries(
      service(objects).map(({ role, container }) => [role, secretKeysOf(container)]),
    );
    const of = (role: string) => [...keys[role]!.must, ...keys[role]!.may].sort();
    assert.deepEqual(of('api'), [...secrets].sort());
    // Workers sign no cookies.
    assert.deepEqual(of('worker'), secrets.filter((name) => name !== 'SESSION_SECRET_KEY').sort());
    assert.deepEqual(keys['api']?.must, ['SESSION_SECRET_KEY', 'REDIS_URL']);
    assert.deepEqual(keys['worker']?.must, ['REDIS_URL']);
    const [, told = ''] = /\*\*The Secret\.\*\* It may also have ([^.]*)\./.exec(deploy) ?? [];
    assert.deepEqual(codeIn(told), keys['api'].may);
  });

  it('is changed by the command of the handbook into one with which both processes start', () => {
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

  it('has the password of Redis as it is, in both processes', () => {
    const secret = {
      SESSION_SECRET_KEY: 's'.repeat(32),
      REDIS_URL: 'rediss://redis.example:6380',
      REDIS_PASSWORD: 'a/b@c#d%e',
    };
    for (const { role, container } of service(objects)) {
      const { redis } = loadConfig(environmentOf(container, objects, secret), role);
      assert.ok(JSON.stringify(redis).includes(encodeURIComponent(secret.REDIS_PASSWORD)), role);
    }
  });
});

describe('the overlay of your own', () => {
  let folder: string;
  let objects: KubernetesObject[];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'weather-overlay-'));
    cpSync(K8S, join(folder, 'k8s'), { recursive: true });
    const own = join(folder, 'k8s/overlays/own');
    mkdirSync(own);
    const [block = ''] = blocksOf(sectionOf(deploy, '### An overlay of your own'), 'yaml');
    writeFileSync(join(own, 'kustomization.yaml'), block);
    objects = render(own);
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('has all components, as the handbook writes it', () => {
    const kinds = new Set(objects.map(({ kind }) => kind));
    for (const kind of ['HTTPRoute', 'PodMonitor', 'ScaledObject'])
      assert.ok(kinds.has(kind), kind);
    const own = objects.filter(({ kind }) => kind === 'Deployment');
    assert.deepEqual(schemaFaults(own), []);
  });

  it('gives both processes the certificate of their authority, where a ConfigMap has it', () => {
    const [, name] = /create configmap (\S+) --from-file=ca\.crt=/.exec(deploy) ?? [];
    for (const { container, spec } of service(objects)) {
      const volume = spec.volumes.find(({ configMap }) => configMap.name === name);
      const mount = container.volumeMounts.find((each) => each.name === volume?.name);
      assert.equal(environmentOf(container, objects)['REDIS_TLS_CA'], `${mount?.mountPath}/ca.crt`);
    }
    const other = named(render('overlays/production'), 'Deployment', 'weather-api');
    assert.equal((other.spec.template.spec as { volumes?: unknown }).volumes, undefined);
  });
});

describe('the memory that pods ask for', () => {
  const targets = rowsOf(sectionOf(read('docs/performance.md'), '## The table of targets'));
  /** The last column but one, in bytes. */
  const measured = (what: string) => {
    const row = targets.find(([first]) => first?.startsWith(what));
    return Number(/^(\d+) MB$/.exec(row?.[2] ?? '')?.[1]) * 1e6;
  };

  it('is a little more than docs/performance.md has measured', () => {
    const rows = { api: 'memory of a replica under load', worker: 'memory of a worker after' };
    for (const { role, container } of service(render('overlays/production'))) {
      const asked = parseInt(container.resources.requests['memory'] ?? '') * 2 ** 20;
      const needed = measured(rows[role]);
      assert.ok(asked >= needed && asked < 1.25 * needed, `${role}: ${asked}, measured ${needed}`);
    }
  });
});
