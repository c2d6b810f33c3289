import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { ask } from '../support/http-client.js';
import { suiteLifetime } from '../support/lifetime.js';
import { nginxFolder, runNginx } from '../support/nginx.js';
import { freePort } from '../support/redis-server.js';

const FILE = new URL('../../k8s/observability/docker-proxy.conf', import.meta.url);

describe('the filter in front of the socket of Docker', () => {
  const lifetime = suiteLifetime();
  const passed: string[] = [];
  let url: string;

  before(async () => {
    const folder = await nginxFolder(lifetime);
    const socket = join(folder, 'docker.sock');
    const docker = createServer((request, response) => {
      passed.push(`${request.method} ${request.url}`);
      response.end('docker');
    }).listen(socket);
    lifetime.after(() => {
      docker.close();
      docker.closeAllConnections();
    });
    await once(docker, 'listening');
    const port = await freePort();
    const configuration = readFileSync(FILE, 'utf8')
      .replaceAll('/tmp/', `${folder}/`)
      .replace('/dev/stderr', join(folder, 'error.log'))
      .replace('/var/run/docker.sock', socket)
      .replace('listen 2375;', `listen 127.0.0.1:${port};`);
    writeFileSync(join(folder, 'nginx.conf'), configuration);
    url = `http://127.0.0.1:${port}`;
    await runNginx(lifetime, folder, `${url}/_ping`);
    passed.length = 0;
  });

  it('passes requests that find containers and read their output', async () => {
    const paths = [
      '/_ping',
      '/v1.47/containers/json?filters=%7B%7D',
      '/v1.47/containers/0123abcd/json',
      '/v1.47/containers/weather-api-1/logs?follow=1&stdout=1',
      '/v1.47/networks',
    ];
    for (const path of paths) assert.equal((await ask(url + path)).text, 'docker', path);
    assert.deepEqual(
      passed.splice(0),
      paths.map((path) => `GET ${path}`),
    );
  });

  it('rejects all other requests: no files, no commands, no changes', async () => {
    const rejected: [string, string][] = [
      ['POST', '/v1.47/containers/create'],
      ['DELETE', '/v1.47/containers/0123abcd/logs'],
      ['GET', '/v1.47/containers/0123abcd/archive?path=/etc/shadow'],
      ['GET', '/v1.47/containers/0123abcd/export'],
      ['GET', '/v1.47/containers/0123abcd/logs/../archive?path=/etc/shadow'],
      ['GET', '/v1.47/containers/0123abcd%2Farchive/json'],
      ['GET', '/v1.47/containers/0123abcd/jsonp'],
      ['GET', '/v1.47/plugins/containers/json'],
      ['GET', '/v1.47/secrets'],
      ['GET', '/'],
    ];
    for (const [method, path] of rejected) {
      assert.equal((await ask(url + path, { method })).status, 403, `${method} ${path}`);
    }
    assert.deepEqual(passed, []);
  });
});
