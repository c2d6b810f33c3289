import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE_VERSION } from '../../src/base/version.js';
import { ROOT } from '../deploy/compose-file.js';
import { render } from '../deploy/kubectl.js';
import { eventually } from '../support/eventually.js';
import { suiteLifetime } from '../support/lifetime.js';
import { commandsOf, sectionOf } from '../support/markdown.js';
import { RELEASES } from '../upgrade/releases.js';
import { deleteAll, NAMESPACES, sh, whyNotHere } from './cluster.js';
import { ask, losesNothing, startLoad } from './load.js';
import { applyThree, edit, overlayOf, rolledOut } from './overlay.js';
import { startTlsRedis } from './redis.js';

/**
 * The manifests and the handbook on a real cluster, in this order: each test goes on where the one before it has
 * ended. `npm run test:kubernetes` says what it needs.
 */

const why = whyNotHere();
if (why !== undefined) throw new Error(why);

const { development, production, edge } = NAMESPACES;
const IN = `kubectl -n ${development}`;
const IMAGE = `weather-lookup-service:${SERVICE_VERSION}`;
const SEATTLE = '/api/v1/weather?city=Seattle&country=USA';
const SEARCHES = '/api/v1/recent-searches';
const lifetime = suiteLifetime();
/** A checkout: the manifests only. */
let folder: string;
let k8s: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weather-kubernetes-'));
  lifetime.after(() => {
    deleteAll();
    rmSync(folder, { recursive: true, force: true });
  });
  k8s = join(folder, 'k8s');
  cpSync(join(ROOT, 'k8s'), k8s, { recursive: true });
  await sh(`kubectl create namespace ${edge}`);
});

/** The commands for Kubernetes of a section of the handbook, as an operator pastes them. */
function handbook(name: string, section: string): string {
  const text = readFileSync(join(ROOT, 'docs/operations', name), 'utf8');
  const all = commandsOf(sectionOf(text, section));
  return all.filter((line) => !line.startsWith('docker ')).join('\n');
}

const endpoints = async (): Promise<string[]> => {
  const ready = `{.items[*].endpoints[?(@.conditions.ready==true)].addresses[0]}`;
  const label = 'kubernetes.io/service-name=weather-api';
  const { stdout } = await sh(`${IN} get endpointslices -l ${label} -o jsonpath='${ready}'`);
  return stdout.split(' ').filter(Boolean);
};

describe('every overlay', () => {
  for (const name of ['development', 'production']) {
    it(`${name} is accepted by the cluster without a warning`, async () => {
      await sh(`kubectl apply -f k8s/overlays/${name}/namespace.yaml`, { cwd: folder });
      const items = render(name);
      const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
      const { stdout, stderr } = await sh('kubectl apply --dry-run=server -f -', { input });
      assert.equal(stderr, '');
      assert.equal(stdout.split('\n').length, items.length);
    });
  }
});

describe("the handbook's commands for development", () => {
  it('start the service without a warning', async () => {
    const { stderr } = await sh(handbook('deploy.md', '### Development'), { cwd: folder });
    assert.equal(stderr, '');
    await startLoad(development, IMAGE);
    assert.equal((await ask('/api/v1/health/ready')).status, 200);
  });
});

describe('three replicas under load', () => {
  let cookie: string;
  const cities = async () => {
    const { status, body } = await ask(SEARCHES, cookie);
    assert.equal(status, 200, body);
    return (JSON.parse(body) as { recent_searches: { city: string }[] }).recent_searches.length;
  };
  before(async () => {
    await applyThree(k8s, { tag: SERVICE_VERSION });
    ({ cookie } = await ask(SEATTLE));
    await eventually(async () => (await cities()) === 1, 'the search');
  });

  it('a variable changes, and back by the handbook, without a lost request', async (t) => {
    const undo = handbook('upgrade.md', '### On Kubernetes').split('\n');
    const back = undo.filter((line) => line.includes('rollout undo')).join('\n');
    assert.equal(back.split('\n').length, 2);
    await losesNothing(t, () =>
      applyThree(k8s, { tag: SERVICE_VERSION, variables: { LOG_LEVEL: 'INFO' } }),
    );
    await losesNothing(t, async () => {
      await sh(back.replaceAll('-n weather ', `-n ${development} `));
      await rolledOut();
    });
  });

  it('one pod after the other is evicted, and two at once are not', async (t) => {
    await losesNothing(t, async () => {
      const pods = `${IN} get pods -l app.kubernetes.io/component=api -o jsonpath='{.items[*].metadata.name}'`;
      const names = (await sh(pods)).stdout.split(' ');
      let refused = 0;
      const evict = async (name: string) => {
        const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
        const path = `/api/v1/namespaces/${development}/pods/${name}/eviction`;
        const input = JSON.stringify(eviction);
        return sh(`kubectl create --raw ${path} -f -`, { input }).then(
          () => true,
          (error: unknown) => {
            if (!String(error).includes('disruption budget')) throw error;
            refused += 1;
            return false;
          },
        );
      };
      for (const name of names) await eventually(() => evict(name), `${name} evicted`, 180_000);
      assert.ok(refused > 0, 'the budget refuses a second one');
      await rolledOut();
    });
  });

  it('the session key is rotated, and the session is there after each step', async (t) => {
    const read = `${IN} get secret weather -o jsonpath='{.data.SESSION_SECRET_KEY}' | base64 -d`;
    const old = (await sh(read)).stdout;
    const fresh = 'n'.repeat(64);
    for (const value of [`${old},${fresh}`, `${fresh},${old}`]) {
      await losesNothing(t, async () => {
        const patch = JSON.stringify({ stringData: { SESSION_SECRET_KEY: value } });
        await changeSecret(patch);
      });
      assert.equal(await cities(), 1);
    }
  });

  /** The handbook's commands with another change. */
  async function changeSecret(patch: string): Promise<void> {
    const commands = handbook('upgrade.md', '## Change the Secret of Kubernetes');
    const typed = commands
      .replace(/(patch secret weather -p )'.*'/, (_, command: string) => `${command}'${patch}'`)
      .replaceAll('-n weather ', `-n ${development} `);
    assert.ok(typed.includes(patch));
    await sh(typed);
  }

  it('a rollout that cannot succeed is reported within two minutes, and costs no request', async (t) => {
    await losesNothing(t, async () => {
      const variables = { REQUEST_TIMEOUT_MS: 'soon' };
      await sh(`kubectl apply -k '${overlayOf(k8s, { tag: SERVICE_VERSION, variables })}'`);
      const status = sh(`${IN} rollout status deployment weather-api --timeout=150s`);
      await assert.rejects(status, /exceeded its progress deadline/);
      const log = await sh(`${IN} logs -l app.kubernetes.io/component=api --tail=-1`);
      assert.match(log.stdout, /configuration_invalid.*REQUEST_TIMEOUT_MS/);
      await applyThree(k8s, { tag: SERVICE_VERSION });
    });
  });

  it('stay in the Service without Redis, as shipped', async (t) => {
    await losesNothing(t, async () => {
      const three = await endpoints();
      await sh(`${IN} scale deployment redis --replicas=0`);
      await sleep(20_000);
      assert.deepEqual(await endpoints(), three);
      await sh(
        `${IN} scale deployment redis --replicas=1 && ${IN} rollout status deployment redis`,
      );
    });
  });

  it('come from the last release and go back to it without a lost request', async (t) => {
    const [release = assert.fail()] = RELEASES;
    const archive = join(folder, 'release.tar');
    execFileSync('git', [
      ...['-c', 'safe.directory=*', '-C', ROOT, 'archive', '--output', archive],
      ...[release.commit, 'k8s'],
    ]);
    const old = join(folder, 'release');
    await sh(`mkdir '${old}' && tar -xf '${archive}' -C '${old}'`);
    const lastRelease = () => applyThree(join(old, 'k8s'), { tag: 'last-release' });
    await lastRelease();
    await losesNothing(t, () => applyThree(k8s, { tag: SERVICE_VERSION }));
    await losesNothing(t, lastRelease);
    await applyThree(k8s, { tag: SERVICE_VERSION });
  });
});

describe("the handbook's commands for production", () => {
  const PASSWORD = 'a/b@c#d%e:f?g&h=i+j';

  it('start three replicas, with a Redis of a private authority', async () => {
    await sh(`kubectl delete namespace ${development}`);
    const address = await startTlsRedis(folder, PASSWORD);
    await sh(handbook('deploy.md', '### An overlay of your own'), { cwd: folder });
    const overlay = join(folder, 'weather/overlays/production');
    edit(join(overlay, 'kustomization.yaml'), (text) =>
      text
        .replace('# - UPSTREAM_USER_AGENT', '- UPSTREAM_USER_AGENT')
        .concat('\ncomponents: [../../components/redis-ca]\n'),
    );
    edit(join(overlay, 'redis-network.yaml'), (text) => text.replace('192.0.2.1/32', '10.0.0.0/8'));
    await sh(
      `openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=weather.example.com -keyout tls.key -out tls.crt`,
      { cwd: folder },
    );
    const typed = handbook('deploy.md', '### Production')
      .split('\n')
      .filter((line) => !line.includes('docker-registry'))
      .map((line) =>
        line
          .replace(
            /--from-literal=REDIS_URL='[^']*'/,
            `--from-literal=REDIS_URL=rediss://${address}`,
          )
          .replace(/(?<=REDIS_PASSWORD=)'[^']*'/, `'${PASSWORD}'`)
          .replace('my-authority.pem', 'ca.pem'),
      );
    // The handbook has what is for some only after the block: the ConfigMap must be there before the pods.
    const configMap = typed.filter((line) => line.includes('create configmap'));
    const block = typed.filter((line) => !line.includes('create configmap'));
    const [namespace = '', ...others] = block;
    assert.equal(configMap.length, 1);
    const { stderr } = await sh([namespace, ...configMap, ...others].join('\n'), { cwd: folder });
    assert.equal(stderr, '');
    const running = async () => {
      const { stdout } = await sh(
        `kubectl -n ${production} get deployments -o jsonpath='{.items[*].status.readyReplicas}'`,
      );
      return stdout === '3';
    };
    await eventually(running, 'three replicas', 180_000);
  });
});
