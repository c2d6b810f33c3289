import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { readCompose, runCompose, SECRETS, type ComposeService } from './compose-file.js';

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

describe('docker-compose.yml', () => {
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
