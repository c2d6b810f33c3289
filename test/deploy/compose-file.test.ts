import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { readCompose, ROOT, runCompose, SECRETS, type ComposeService } from './compose-file.js';

const { services, networks } = readCompose();

/** The names of the services for which a condition holds, sorted. */
const namesOf = (condition: (found: ComposeService) => boolean) =>
  Object.entries(services)
    .filter(([, service]) => condition(service))
    .map(([name]) => name)
    .sort();

describe('the secrets of Compose', () => {
  it('are required: the error shows the command that creates one', () => {
    for (const missing of ['REDIS_PASSWORD', 'SESSION_SECRET_KEY']) {
      const { status, err } = runCompose({ ...SECRETS, [missing]: '' });
      assert.notEqual(status, 0);
      assert.match(err, new RegExp(`openssl rand -hex 32» and put ${missing}=`));
    }
  });

  it('reach only the containers that use them, and no command line', () => {
    const holders = (secret: string) => namesOf((found) => JSON.stringify(found).includes(secret));
    assert.deepEqual(holders(SECRETS.SESSION_SECRET_KEY), ['api']);
    assert.deepEqual(holders(SECRETS.REDIS_PASSWORD), ['api', 'redis', 'redis-exporter', 'worker']);
    const commands = JSON.stringify(Object.values(services).map(({ command }) => command));
    for (const secret of Object.values(SECRETS)) assert.ok(!commands.includes(secret));
  });
});

/** The variables by which the containers of the file find one another. */
const FIXED = ['NODE_ENV', 'HOST', 'PORT', 'REDIS_URL', 'METRICS_PORT'];

describe('docker-compose.yml', () => {
  it('passes every variable of the service, except those that connect its containers', () => {
    // The number of replicas has a name of its own.
    const names = VARIABLE_NAMES.filter((name) => ![...FIXED, 'REPLICAS_HINT'].includes(name));
    const given = Object.fromEntries(names.map((name) => [name, `value-of-${name}`]));
    const { api, worker } = readCompose({ ...given, ...SECRETS }).services;
    const passed = Object.keys({ ...given, ...SECRETS });
    const passedTo = ({ environment = {} }: ComposeService) =>
      passed.filter((name) => environment[name] === { ...given, ...SECRETS }[name]);
    assert.deepEqual(passedTo(api!), passed);
    assert.deepEqual(
      passedTo(worker!),
      passed.filter((name) => name !== 'SESSION_SECRET_KEY'),
    );
  });

  it('has the limits of the production overlay, and the default budgets unless they are set', () => {
    const configOf = (env: Record<string, string>) =>
      loadConfig(readCompose(env).services['api']!.environment ?? {}, 'api');
    const config = configOf({});
    const { RATE_LIMIT_TOTAL, RATE_LIMIT_TOTAL_WINDOW_SECONDS, RATE_LIMIT_FETCHES_PER_IP } = config;
    const ofCompose = {
      RATE_LIMIT_TOTAL,
      RATE_LIMIT_TOTAL_WINDOW_SECONDS,
      RATE_LIMIT_FETCHES_PER_IP,
    };
    const overlay = readFileSync(join(ROOT, 'k8s/overlays/production/kustomization.yaml'), 'utf8');
    for (const [name, value] of Object.entries(ofCompose)) {
      assert.match(overlay, new RegExp(`- ${name}=${value}$`, 'm'));
    }
    assert.equal(config.PROVIDER_BUDGETS, undefined);
    assert.equal(configOf({ PROVIDER_BUDGETS: '' }).PROVIDER_BUDGETS?.size, 0);
  });

  it('gives the service a user of Redis with the rights in the handbook', () => {
    const handbook = readFileSync(join(ROOT, 'docs/operations/deploy.md'), 'utf8');
    const [, rights = ''] = /^ACL SETUSER weather on >password (.*)$/m.exec(handbook) ?? [];
    const rule = (env: Record<string, string>) => {
      const [, found] = /^user weather on ">\$+password" (.*)$/m.exec(
        readCompose(env).services['redis']!.command!.join('\n'),
      )!;
      return found;
    };
    assert.equal(rule({}), rights);
    assert.equal(rule({ REDIS_PREFIX: 'other' }), rights.replaceAll('weather', 'other'));
    assert.match(String(services['api']?.environment?.['REDIS_URL']), /^redis:\/\/weather@/);
  });

  it('publishes the port of nginx, and on this machine those of Alertmanager and Grafana', () => {
    const published = namesOf(({ ports }) => ports !== undefined);
    assert.deepEqual(published, ['alertmanager', 'grafana', 'nginx']);
    for (const name of ['alertmanager', 'grafana']) {
      assert.match(JSON.stringify(services[name]?.ports), /127\.0\.0\.1/);
    }
  });

  it('gives the socket of Docker only to a filter, which only the log shipper reaches', () => {
    const holders = namesOf(({ volumes }) => JSON.stringify(volumes ?? []).includes('docker.sock'));
    assert.deepEqual(holders, ['docker-proxy']);
    assert.deepEqual(Object.keys(services['docker-proxy']?.networks ?? {}), ['docker']);
    const connected = namesOf((found) => 'docker' in found.networks);
    assert.deepEqual(connected, ['alloy', 'docker-proxy']);
    assert.equal(networks['docker']?.internal, true);
  });

  it('runs API_REPLICAS replicas, which share the limits and trust one proxy', () => {
    for (const [env, replicas] of [
      [{}, 3],
      [{ API_REPLICAS: '5' }, 5],
    ] as const) {
      const { api } = readCompose(env).services;
      assert.equal(api?.deploy?.replicas, replicas);
      const { REPLICAS_HINT, TRUST_PROXY } = loadConfig(api.environment ?? {}, 'api');
      assert.deepEqual([REPLICAS_HINT, TRUST_PROXY], [replicas, 1]);
    }
  });
});
