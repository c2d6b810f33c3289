import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { SERVICE_VERSION } from '../../src/process/version.js';
import { watchOver } from '../support/child-processes.js';
import { eventually } from '../support/eventually.js';
import { codeIn, rowsOf, sectionOf } from '../support/markdown.js';
import { freePort } from '../support/redis-server.js';
import {
  FILE,
  readCompose,
  ROOT,
  runCompose,
  SECRETS,
  type ComposeService,
} from './compose-file.js';

const { services, networks } = readCompose();
const names = Object.keys(services);

function service(name: string): ComposeService {
  const found = services[name];
  assert.ok(found, name);
  return found;
}

/** The names of the services for which a condition holds, sorted. */
const namesOf = (condition: (found: ComposeService) => boolean) =>
  names.filter((name) => condition(service(name))).sort();

const API = service('api');
const CORE = ['api', 'nginx', 'redis', 'worker'];

describe('the secrets of Compose', () => {
  for (const missing of ['REDIS_PASSWORD', 'SESSION_SECRET_KEY'] as const) {
    it(`are required: without ${missing}, the error shows the command that creates one`, () => {
      for (const env of [
        { ...SECRETS, [missing]: undefined },
        { ...SECRETS, [missing]: '' },
      ]) {
        const { status, err } = runCompose(env);
        assert.notEqual(status, 0);
        assert.match(err, new RegExp(`openssl rand -hex 32» and put ${missing}=`));
      }
    });
  }

  it('reach only the containers that use them', () => {
    const holders = (secret: string) => namesOf((found) => JSON.stringify(found).includes(secret));
    assert.deepEqual(holders(SECRETS.SESSION_SECRET_KEY), ['api']);
    assert.deepEqual(holders(SECRETS.REDIS_PASSWORD), ['api', 'redis', 'worker']);
  });
});

describe('docker-compose.yml', () => {
  it('publishes the port of nginx, and on this machine those of Alertmanager and Grafana', () => {
    const published = namesOf(({ ports }) => ports !== undefined);
    assert.deepEqual(published, ['alertmanager', 'grafana', 'nginx']);
    for (const name of ['alertmanager', 'grafana']) {
      assert.match(JSON.stringify(service(name).ports), /127\.0\.0\.1/);
    }
    const { nginx } = readCompose({ TRUST_PROXY: '2', HTTP_PORT: '127.0.0.1:8080' }).services;
    assert.match(JSON.stringify(nginx?.ports), /127\.0\.0\.1/);
  });

  it('isolates Redis in an internal network with the API and the workers', () => {
    assert.deepEqual(Object.keys(service('redis').networks), ['data']);
    assert.equal(networks['data']?.internal, true);
    assert.deepEqual(
      namesOf((found) => 'data' in found.networks),
      ['api', 'redis', 'worker'],
    );
  });

  it('gives the socket of Docker only to a filter, which only the log shipper reaches', () => {
    const holders = namesOf(({ volumes }) => JSON.stringify(volumes ?? []).includes('docker.sock'));
    assert.deepEqual(holders, ['docker-proxy']);
    assert.deepEqual(Object.keys(service('docker-proxy').networks), ['docker']);
    assert.deepEqual(
      namesOf((found) => 'docker' in found.networks),
      ['alloy', 'docker-proxy'],
    );
    assert.equal(networks['docker']?.internal, true);
  });

  it('reads the variables that the handbook lists, and no other', () => {
    const handbook = readFileSync(join(ROOT, 'docs/operations/deploy.md'), 'utf8');
    const section = sectionOf(handbook, '## Docker Compose');
    const [, passedOn = ''] = /These go to the service as they are: ([^.]*)\./.exec(section) ?? [];
    const listed = [
      ...rowsOf(section).flatMap(([first = '']) => codeIn(first)),
      ...codeIn(passedOn),
      ...Object.keys(SECRETS),
    ].filter((name) => /^[A-Z_]+$/.test(name));
    const read = [...FILE.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name = '']) => name);
    assert.deepEqual([...new Set(listed)].sort(), [...new Set(read)].sort());
  });

  it('stores the position of the log shipper in a volume', () => {
    const [, folder] = /--storage\.path=([^",]+)/.exec(String(service('alloy').command)) ?? [];
    const stored = (service('alloy').volumes ?? []).map((volume) =>
      typeof volume === 'string' ? volume.split(':')[1] : volume.target,
    );
    assert.ok(stored.includes(folder), `${folder}: ${stored.join()}`);
  });

  it('mounts only files that exist', () => {
    const sources = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => (typeof volume === 'string' ? (volume.split(':')[0] ?? '') : volume.source))
      .filter((source) => source.startsWith(ROOT));
    assert.ok(sources.length >= 8);
    for (const source of sources) assert.ok(existsSync(source), source);
  });

  it('limits the memory and the number of processes of every container', () => {
    for (const name of names) {
      const { mem_limit: memory, pids_limit: processes } = service(name);
      assert.ok(memory && processes, name);
    }
  });

  it('runs the service, nginx and Redis without capabilities on a read-only file system', () => {
    for (const name of CORE) {
      const { read_only, cap_drop, security_opt } = service(name);
      assert.deepEqual(
        { read_only, cap_drop, security_opt },
        { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
        name,
      );
    }
  });
});

describe('the API and the worker under Compose', () => {
  it('run the published image of the current version, which a checkout can also build', () => {
    const image = `ghcr.io/weather-lookup-service/weather-lookup-service:${SERVICE_VERSION}`;
    assert.deepEqual([API.image, service('worker').image], [image, image]);
    // Two builds of one tag at the same time would interfere.
    assert.deepEqual(
      namesOf(({ build }) => build !== undefined),
      ['api'],
    );
    assert.equal(service('worker').command?.at(-1), 'dist/worker.js');
    assert.equal(API.command, undefined);
  });

  it('connect to Redis with any password', () => {
    for (const password of [SECRETS.REDIS_PASSWORD, 'a/b@c#d%e:f?g&h=i+j k']) {
      const found = readCompose({ REDIS_PASSWORD: password }).services;
      for (const role of ['api', 'worker'] as const) {
        const { production, redis } = loadConfig(found[role]?.environment ?? {}, role);
        assert.equal(production, true);
        const url = `redis://:${encodeURIComponent(password)}@redis:6379`;
        assert.deepEqual(redis, { kind: 'single', url });
      }
    }
  });

  it('have API_REPLICAS replicas, which share the limits, and trust one proxy', () => {
    assert.equal(loadConfig(API.environment ?? {}, 'api').trustedProxies, 1);
    for (const { env, replicas } of [
      { env: {}, replicas: 3 },
      { env: { API_REPLICAS: '5' }, replicas: 5 },
    ]) {
      const { api } = readCompose(env).services;
      assert.equal(api?.deploy?.replicas, replicas);
      assert.equal(loadConfig(api.environment ?? {}, 'api').rateLimits.replicasHint, replicas);
    }
  });
});

describe('Redis under Compose', () => {
  /** Starts redis-server with the command in docker-compose.yml. @returns its command line, and the reply to PING */
  async function startComposedRedis(t: TestContext, password: string) {
    const { command = [], environment = {} } =
      readCompose({ REDIS_PASSWORD: password }).services['redis'] ?? {};
    // Compose prints each $ as $$.
    const read = (text = '') => text.replaceAll('$$', '$');
    const [shell = '', ...args] = command.map(read);
    const port = String(await freePort());
    const folder = mkdtempSync(join(tmpdir(), 'weather-redis-'));
    const child = spawn(shell, [...args, '--port', port, '--dir', folder], {
      env: { ...process.env, REDISCLI_AUTH: read(environment['REDISCLI_AUTH']) },
      stdio: 'ignore',
    });
    watchOver(child);
    t.after(async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true });
    });
    const ping = (secret: string) =>
      spawnSync('redis-cli', ['-p', port, 'ping'], {
        env: { ...process.env, REDISCLI_AUTH: secret },
        encoding: 'utf8',
      }).stdout.trim();
    await eventually(() => /NOAUTH|PONG/.test(ping('')), 'a redis-server');
    return { args: readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'), ping };
  }

  it('requires the password, which is not among its arguments', async (t) => {
    for (const password of [SECRETS.REDIS_PASSWORD, `a/b@c#d%e:f?g&h=i+j k'l"m\\n$PATH\`o`]) {
      const redis = await startComposedRedis(t, password);
      assert.ok(!redis.args.includes(password));
      assert.equal(redis.ping(''), 'NOAUTH Authentication required.');
      assert.equal(redis.ping(password), 'PONG');
    }
  });
});

describe('nginx under Compose', () => {
  it('gets the origins that the service allows, and no other variable', () => {
    const origins = 'https://a.example,https://b.example';
    const found = readCompose({ CORS_ORIGINS: origins }).services;
    assert.equal(found['nginx']?.environment?.['CORS_ORIGINS'], origins);
    assert.equal(found['api']?.environment?.['CORS_ORIGINS'], origins);
    const template = readFileSync(join(ROOT, 'k8s/nginx/weather.conf.template'), 'utf8');
    const variables = [...template.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(variables)], ['CORS_ORIGINS']);
    assert.match(FILE, /NGINX_ENVSUBST_FILTER: \^CORS_ORIGINS\$\$$/m);
  });
});
