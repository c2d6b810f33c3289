import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { codeIn, rowsOf, sectionOf } from '../support/markdown.js';
import {
  FILE,
  readCompose,
  ROOT,
  runCompose,
  SECRETS,
  type ComposeService,
} from './compose-file.js';
import { startComposedRedis } from './composed-redis.js';

const { services, networks } = readCompose();

function service(name: string): ComposeService {
  const found = services[name];
  assert.ok(found, name);
  return found;
}

const API = service('api');
const CORE = ['api', 'nginx', 'redis', 'worker'];
const OBSERVABILITY = ['alertmanager', 'alloy', 'docker-proxy', 'grafana', 'loki', 'prometheus'];

describe('secrets', () => {
  for (const missing of ['REDIS_PASSWORD', 'SESSION_SECRET_KEY'] as const) {
    it(`does not start without ${missing}, but the command that makes one`, () => {
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

  it('reach only those who need them', () => {
    const holders = (secret: string) =>
      Object.entries(services)
        .filter(([, found]) => JSON.stringify(found).includes(secret))
        .map(([name]) => name)
        .sort();
    assert.deepEqual(holders(SECRETS.SESSION_SECRET_KEY), ['api']);
    assert.deepEqual(holders(SECRETS.REDIS_PASSWORD), ['api', 'redis', 'worker']);
  });
});

describe('one command', () => {
  it('starts Redis, the API, a worker and nginx; the rest only by its profile', () => {
    const names = (profile: boolean) =>
      Object.keys(services)
        .filter((name) => (service(name).profiles !== undefined) === profile)
        .sort();
    assert.deepEqual(names(false), CORE);
    assert.deepEqual(names(true), OBSERVABILITY);
    for (const name of OBSERVABILITY) assert.deepEqual(service(name).profiles, ['observability']);
  });

  it('starts each after what it needs is healthy', () => {
    const needs = (name: string) =>
      Object.entries(service(name).depends_on ?? {}).map(
        ([other, { condition }]) => `${other} ${condition}`,
      );
    assert.deepEqual(needs('api'), ['redis service_healthy']);
    assert.deepEqual(needs('worker'), ['redis service_healthy']);
    assert.deepEqual(needs('nginx'), ['api service_healthy']);
    for (const name of ['api', 'redis', 'nginx']) assert.ok(service(name).healthcheck, name);
  });

  it('opens nginx to others, Alertmanager and Grafana to this machine, and nothing else', () => {
    const open = Object.keys(services).filter((name) => service(name).ports);
    assert.deepEqual(open.sort(), ['alertmanager', 'grafana', 'nginx']);
    for (const name of ['alertmanager', 'grafana']) {
      assert.match(JSON.stringify(service(name).ports), /127\.0\.0\.1/);
    }
    assert.deepEqual(Object.keys(service('redis').networks), ['data']);
    assert.equal(networks['data']?.internal, true);
    const atRedis = Object.keys(services).filter((name) => 'data' in service(name).networks);
    assert.deepEqual(atRedis.sort(), ['api', 'redis', 'worker']);
  });

  it('trusts nginx alone', () => {
    assert.equal(loadConfig(API.environment ?? {}, 'api').trustedProxies, 1);
  });

  it('takes from `.env` what the handbook lists, and nothing else', () => {
    const handbook = readFileSync(join(ROOT, 'docs/operations/deploy.md'), 'utf8');
    const section = sectionOf(handbook, '## Docker Compose');
    const [, passedOn = ''] = /These go to the service as they are: ([^.]*)\./.exec(section) ?? [];
    const listed = [
      ...rowsOf(section).flatMap(([names = '']) => codeIn(names)),
      ...codeIn(passedOn),
      ...Object.keys(SECRETS),
    ].filter((name) => /^[A-Z_]+$/.test(name));
    const taken = [...FILE.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name = '']) => name);
    assert.deepEqual([...new Set(listed)].sort(), [...new Set(taken)].sort());
  });

  it('opens nginx to this machine only, for a proxy in front that is trusted', () => {
    const { nginx } = readCompose({ TRUST_PROXY: '2', HTTP_PORT: '127.0.0.1:8080' }).services;
    assert.match(JSON.stringify(nginx?.ports), /127\.0\.0\.1/);
  });

  it("gives Docker's socket to a filter only, which only the log shipper reaches", () => {
    const holders = Object.entries(services).filter(([, { volumes }]) =>
      JSON.stringify(volumes ?? []).includes('docker.sock'),
    );
    assert.deepEqual(
      holders.map(([name]) => name),
      ['docker-proxy'],
    );
    assert.deepEqual(Object.keys(service('docker-proxy').networks), ['docker']);
    const reaching = Object.keys(services).filter((name) => 'docker' in service(name).networks);
    assert.deepEqual(reaching.sort(), ['alloy', 'docker-proxy']);
    assert.equal(networks['docker']?.internal, true);
    assert.equal(service('alloy').user, '473:473');
  });

  it('keeps how far the logs have been read, over a restart', () => {
    const [, folder] = /--storage\.path=([^",]+)/.exec(String(service('alloy').command)) ?? [];
    const kept = (service('alloy').volumes ?? []).map((volume) =>
      typeof volume === 'string' ? volume.split(':')[1] : volume.target,
    );
    assert.ok(kept.includes(folder), `${folder}: ${kept.join()}`);
  });

  it('mounts only files that exist', () => {
    const sources = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => (typeof volume === 'string' ? (volume.split(':')[0] ?? '') : volume.source))
      .filter((source) => source.startsWith(ROOT));
    assert.ok(sources.length >= 8);
    for (const source of sources) assert.ok(existsSync(source), source);
  });
});

describe('the API and the worker', () => {
  it('are one image, which is built once: two builds of one tag race', () => {
    assert.equal(service('worker').image, API.image);
    const built = Object.keys(services).filter((name) => service(name).build);
    assert.deepEqual(built, ['api']);
    assert.equal(service('worker').command?.at(-1), 'dist/worker.js');
    assert.equal(API.command, undefined);
  });

  it('find Redis by its password', () => {
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

  it('are as many as the environment says, with the limits divided among them', () => {
    for (const [env, replicas] of [
      [{}, 3],
      [{ API_REPLICAS: '5' }, 5],
    ] as const) {
      const { api } = readCompose(env).services;
      assert.equal(api?.deploy?.replicas, replicas);
      assert.equal(loadConfig(api.environment ?? {}, 'api').rateLimits.replicasHint, replicas);
    }
  });

  it('and nginx and Redis can change nothing and gain nothing', () => {
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

describe('every container', () => {
  it('has a limit of memory and of processes', () => {
    for (const name of Object.keys(services)) {
      const { mem_limit: memory, pids_limit: processes } = service(name);
      assert.ok(memory && processes, name);
    }
  });
});

describe('Redis', () => {
  it('keeps what it has, and never evicts', () => {
    const command = service('redis').command ?? [];
    const setting = (name: string) => command[command.indexOf(name) + 1];
    assert.equal(setting('--appendonly'), 'yes');
    assert.equal(setting('--maxmemory-policy'), 'noeviction');
    assert.ok(JSON.stringify(service('redis').volumes).includes('/data'));
    assert.equal(service('redis').user, '999:999');
  });

  it('asks for the password, which is in no argument', async (t) => {
    for (const password of [SECRETS.REDIS_PASSWORD, `a/b@c#d%e:f?g&h=i+j k'l"m\\n$PATH\`o`]) {
      const redis = await startComposedRedis(t, password);
      assert.ok(!redis.args.includes(password));
      assert.equal(redis.ping(''), 'NOAUTH Authentication required.');
      assert.equal(redis.ping(password), 'PONG');
    }
  });
});

describe('nginx', () => {
  const configuration = readFileSync(join(ROOT, 'k8s/nginx/weather.conf.template'), 'utf8');

  it('has a number of processes that does not grow with the machine', () => {
    const main = readFileSync(join(ROOT, 'k8s/nginx/nginx.conf'), 'utf8');
    assert.match(main, /^worker_processes 4;$/m);
  });

  it('waits 120 s for an answer', () => {
    assert.match(configuration, /^ *proxy_read_timeout 120s;$/m);
  });

  it('gets the origins that the service allows, and no other variable', () => {
    const origins = 'https://a.example,https://b.example';
    const found = readCompose({ CORS_ORIGINS: origins }).services;
    assert.equal(found['nginx']?.environment?.['CORS_ORIGINS'], origins);
    assert.equal(found['api']?.environment?.['CORS_ORIGINS'], origins);
    assert.deepEqual([...configuration.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name).sort(), [
      'CORS_ORIGINS',
      'CORS_ORIGINS',
    ]);
    assert.match(FILE, /NGINX_ENVSUBST_FILTER: \^CORS_ORIGINS\$\$$/m);
  });
});
