import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Redis } from 'ioredis';
import type { RedisAddress } from '../../../src/config/config.js';
import { connect, type RedisClient } from '../../../src/redis/client/connection.js';
import { eventually } from '../../support/eventually.js';
import { startRedisCluster } from '../../support/redis-cluster.js';
import { administer, startRedis } from '../../support/redis-server.js';

const URL_OF_USER = 'redis://app@127.0.0.1';

/** A file with a password, and a user of all nodes who has it. */
async function withRotation(t: TestContext, nodes: { port: number }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'redis-password-'));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  const passwordFile = join(folder, 'password');
  const onAll = (run: (redis: Redis) => Promise<unknown>) =>
    Promise.all(nodes.map((node) => administer(node, run)));
  const rotate = async (password: string) => {
    const rules = ['on', 'resetpass', `>${password}`, '~*', '&*', '+@all'];
    await onAll((redis) => redis.call('ACL', 'SETUSER', 'app', ...rules));
    writeFileSync(passwordFile, `${password}\n`);
  };
  await rotate('first');
  return {
    passwordFile,
    rotate,
    cut: () => onAll((redis) => redis.call('CLIENT', 'KILL', 'USER', 'app')),
  };
}

const KEYS = ['{a}', '{b}', '{c}', '{d}', '{e}', '{f}'];

/** Waits until every node accepts a command of a client. */
function works(client: RedisClient): Promise<void> {
  const setAll = () => Promise.all(KEYS.map((key) => client.set(key, '')));
  return eventually(() => setAll().then(Boolean, () => false), 'a client with the password');
}

function open(t: TestContext, client: RedisClient): RedisClient {
  client.on('error', () => undefined);
  t.after(() => {
    client.disconnect();
  });
  return client;
}

describe('a password in a file that is rotated', () => {
  it('is read by each new connection to a server, also of a client that is duplicated', async (t) => {
    const server = await startRedis();
    t.after(() => server.stop());
    const { passwordFile, rotate, cut } = await withRotation(t, [server]);
    const url = URL_OF_USER.replace('127.0.0.1', `127.0.0.1:${server.port}`);
    const address: RedisAddress = { kind: 'single', url, passwordFile };
    const clients = (['requests', 'worker'] as const).map((use) => open(t, connect(address, use)));
    clients.push(open(t, (clients[1] as Redis).duplicate()));
    await Promise.all(clients.map(works));
    for (const password of ['second', ' th/i@r%d ']) {
      await rotate(password);
      await cut();
      await Promise.all(clients.map(works));
    }
    const subscriber = open(t, connect(address, 'subscriber'));
    await eventually(() => subscriber.status === 'ready', 'a subscriber');
  });

  it('is read by each new connection to the nodes of a cluster', async (t) => {
    const cluster = await startRedisCluster();
    t.after(() => cluster.stop());
    const { passwordFile, rotate, cut } = await withRotation(t, cluster.nodes);
    const nodes = cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port }));
    const address: RedisAddress = { kind: 'cluster', nodes, url: URL_OF_USER, passwordFile };
    const clients = (['requests', 'worker', 'subscriber'] as const).map((use) =>
      open(t, connect(address, use)),
    );
    await Promise.all(clients.slice(0, 2).map(works));
    await rotate('second');
    await cut();
    await Promise.all(clients.slice(0, 2).map(works));
    await eventually(() => clients[2]?.status === 'ready', 'a subscriber');
  });

  it('is the last one while the file is empty or missing', async (t) => {
    const server = await startRedis();
    t.after(() => server.stop());
    const { passwordFile, cut } = await withRotation(t, [server]);
    const url = URL_OF_USER.replace('127.0.0.1', `127.0.0.1:${server.port}`);
    const client = open(t, connect({ kind: 'single', url, passwordFile }, 'requests'));
    await works(client);
    for (const lose of [
      () => {
        writeFileSync(passwordFile, '');
      },
      () => {
        rmSync(passwordFile);
      },
    ]) {
      lose();
      await cut();
      await works(client);
    }
    assert.equal(client.status, 'ready');
  });
});
