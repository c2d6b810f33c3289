import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { makeCertificate } from '../support/certificate.js';
import { faultsOf, KEY, namesIn, PRODUCTION } from './faults.js';

/** The members of the address that have a value. */
const addressOf = (env: Record<string, string>) =>
  JSON.parse(JSON.stringify(loadConfig(env).redis)) as object;

describe('Redis', () => {
  for (const [env, expected] of [
    [{ REDIS_URL: 'rediss://u:p@h:1/2' }, { kind: 'single', url: 'rediss://u:p@h:1/2' }],
    [
      { REDIS_CLUSTER_NODES: 'a:7000, [::1]:7001' },
      {
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 7000 },
          { host: '::1', port: 7001 },
        ],
      },
    ],
    [
      { REDIS_SENTINELS: 's:26379', REDIS_SENTINEL_MASTER: 'mymaster', REDIS_URL: 'redis://:p@x' },
      {
        kind: 'sentinel',
        sentinels: [{ host: 's', port: 26379 }],
        master: 'mymaster',
        url: 'redis://:p@x',
      },
    ],
    [
      { REDIS_SENTINELS: 's:1', REDIS_SENTINEL_MASTER: 'm', REDIS_SENTINEL_PASSWORD: ' p ' },
      { kind: 'sentinel', sentinels: [{ host: 's', port: 1 }], master: 'm', password: ' p ' },
    ],
    [
      { REDIS_URL: 'redis://h:1/2', REDIS_PASSWORD: ' a/b@c#d%e:f?g\n' },
      { kind: 'single', url: 'redis://:%20a%2Fb%40c%23d%25e%3Af%3Fg@h:1/2' },
    ],
    [
      { REDIS_URL: 'rediss://u@h', REDIS_PASSWORD: 'p' },
      { kind: 'single', url: 'rediss://u:p@h' },
    ],
  ] as const) {
    it(`has the address in ${Object.keys(env).join(' and ')}`, () => {
      assert.deepEqual(addressOf(env), { ...expected, tls: {} });
      assert.deepEqual(faultsOf({ NODE_ENV: 'production', SESSION_SECRET_KEY: KEY, ...env }), []);
    });
  }

  it('has the content of the PEM files for TLS', async (t) => {
    const { cert, key } = await makeCertificate(t);
    const url = 'rediss://h';
    const files = { REDIS_TLS_CA: cert, REDIS_TLS_CERT: cert, REDIS_TLS_KEY: key };
    const [certificate, privateKey] = [readFileSync(cert, 'utf8'), readFileSync(key, 'utf8')];
    const tls = { ca: certificate, cert: certificate, key: privateKey };
    assert.deepEqual(addressOf({ REDIS_URL: url, ...files }), { kind: 'single', url, tls });
    const { redis } = loadConfig({ REDIS_URL: url, ...files });
    assert.deepEqual({ ...redis?.tls }, tls);
    // While a file is being replaced, its last content is used.
    renameSync(cert, `${cert}.old`);
    assert.deepEqual({ ...redis?.tls }, tls);
    renameSync(`${cert}.old`, cert);
    assert.deepEqual(faultsOf({ REDIS_URL: url, ...files, REDIS_TLS_KEY: '' }), [
      'REDIS_TLS_CERT and REDIS_TLS_KEY must be set together',
    ]);
    for (const other of [{}, { REDIS_URL: 'redis://h' }, { REDIS_CLUSTER_NODES: 'a:1' }]) {
      assert.deepEqual(
        faultsOf({ ...other, ...files }),
        Object.keys(files).map((name) => `${name} needs a REDIS_URL with rediss://`),
      );
    }
  });

  it('has PEM files for TLS that can be used, and the key of the certificate', async (t) => {
    const [one, other] = await Promise.all([makeCertificate(t), makeCertificate(t)]);
    const files = { REDIS_TLS_CA: one.cert, REDIS_TLS_CERT: one.cert, REDIS_TLS_KEY: one.key };
    const cut = join(dirname(one.cert), 's3cret-cut.pem');
    writeFileSync(cut, readFileSync(one.cert, 'utf8').slice(0, 500));
    for (const name of Object.keys(files)) {
      const swapped = name === 'REDIS_TLS_KEY' ? one.cert : one.key;
      for (const wrong of [cut, join(cut, 'missing'), dirname(cut), swapped]) {
        const faults = faultsOf({ REDIS_URL: 'rediss://h', ...files, [name]: wrong });
        assert.deepEqual(namesIn(faults), [name], wrong);
        assert.match(
          faults.join(),
          /a PEM file that can be read, with a (certificate|private key)/,
        );
        assert.doesNotMatch(faults.join(), /s3cret/);
      }
    }
    const wrong = { ...files, REDIS_TLS_KEY: other.key, REDIS_TLS_CA: cut };
    assert.deepEqual(faultsOf({ REDIS_URL: 'rediss://h', ...wrong }), [
      'REDIS_TLS_CA must name a PEM file that can be read, with a certificate',
      'REDIS_TLS_KEY is not the private key of REDIS_TLS_CERT',
    ]);
  });

  it('has the name of a file with the password, which the process reads again later', () => {
    const folder = mkdtempSync(join(tmpdir(), 'redis-password-'));
    const [file, empty] = [join(folder, 's3cret-name'), join(folder, 'empty')];
    writeFileSync(file, 's3cret\n');
    writeFileSync(empty, '\n');
    const url = 'redis://u@h';
    const given = { REDIS_URL: url, REDIS_PASSWORD_FILE: file };
    assert.deepEqual(addressOf(given), { kind: 'single', url, passwordFile: file, tls: {} });
    for (const wrong of [
      { REDIS_PASSWORD: 's3cret' },
      { REDIS_URL: 'redis://u:s3cret@h' },
      { REDIS_URL: '' },
      { REDIS_PASSWORD_FILE: join(folder, 's3cret-missing') },
      { REDIS_PASSWORD_FILE: empty },
    ]) {
      const faults = faultsOf({ ...given, ...wrong });
      assert.equal(faults.length, 1, faults.join());
      assert.match(faults.join(), /REDIS_PASSWORD_FILE/);
      assert.doesNotMatch(faults.join(), /s3cret/);
    }
    rmSync(folder, { recursive: true });
  });

  it('is required in production and by a worker', () => {
    assert.deepEqual(namesIn(faultsOf({ ...PRODUCTION, REDIS_URL: '' })), ['REDIS_URL']);
    assert.deepEqual(namesIn(faultsOf({}, 'worker')), ['REDIS_URL']);
  });

  it('has neither two addresses of different kinds nor an incomplete address', () => {
    const cluster = { REDIS_CLUSTER_NODES: 'a:1' };
    const sentinels = { REDIS_SENTINELS: 'a:1', REDIS_SENTINEL_MASTER: 'm' };
    const rows: [env: Record<string, string>, fault: string][] = [
      [{ ...cluster, ...sentinels }, 'REDIS_CLUSTER_NODES, REDIS_SENTINELS must not both be set'],
      ...['redis://h/3', 'rediss://u:p@h:7000/15', 'redis://h/10'].map(
        (url): [Record<string, string>, string] => [
          { ...cluster, REDIS_URL: url },
          'REDIS_URL must not have a database: a Redis Cluster has only database 0',
        ],
      ),
      [
        { REDIS_SENTINELS: 'a:1' },
        'REDIS_SENTINELS and REDIS_SENTINEL_MASTER must be set together',
      ],
      [
        { REDIS_SENTINEL_MASTER: 'm' },
        'REDIS_SENTINEL_MASTER and REDIS_SENTINELS must be set together',
      ],
      [{ REDIS_SENTINEL_PASSWORD: 's3cret' }, 'REDIS_SENTINEL_PASSWORD needs REDIS_SENTINELS'],
      [{ REDIS_PASSWORD: 's3cret' }, 'REDIS_PASSWORD needs REDIS_URL'],
      [
        { REDIS_PASSWORD: 's3cret', REDIS_URL: 'redis://:p@h' },
        'REDIS_PASSWORD needs a REDIS_URL without a password',
      ],
    ];
    for (const [env, fault] of rows) assert.deepEqual(faultsOf(env), [fault]);
  });

  for (const url of [
    'redis://:p%zz@s3cret-host',
    'redis://u:s3cret@h:99999',
    'redis:///0',
    'rediss://u:s3cret@h/orders',
    'http://u:s3cret@h',
    'redis://h?family=6&s3cret=1',
    'rediss://h/0#s3cret',
    's3cret',
  ]) {
    it(`does not accept the URL ${url}`, () => {
      for (const extra of [{}, { REDIS_CLUSTER_NODES: 'a:1' }]) {
        const faults = faultsOf({ REDIS_URL: url, ...extra });
        assert.deepEqual(namesIn(faults), ['REDIS_URL']);
        assert.doesNotMatch(faults.join(), /s3cret|zz/);
      }
    });
  }

  it('can have percent-encoded credentials, an IPv6 address, and a database', () => {
    for (const url of ['redis://u%40:p%25@[::1]:6379/3', 'rediss://h/']) {
      assert.deepEqual(addressOf({ REDIS_URL: url }), { kind: 'single', url, tls: {} });
    }
  });
});
