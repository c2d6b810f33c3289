import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { freePort } from '../support/redis-server.js';
import { launch, startReplica, type LogRecord, type Service } from '../support/service.js';

/** The effects of variables on a process. `test/config` tests their validation. */

describe('the configuration of a process', () => {
  it('with faults makes the process log all of them, without a secret, and exit with code 1', async () => {
    const port = await freePort();
    const wrong = {
      REDIS_URL: 'http://user:pass-s3cret@redis',
      SESSION_SECRET_KEY: 's3cret,,s3cret',
      ENABLE_LOGGING: 'maybe',
    };
    const service = launch('server.js', { PORT: String(port), ...wrong });
    assert.equal(await service.exited, 1);
    assert.deepEqual(service.noise, []);
    await assert.rejects(ask(`http://127.0.0.1:${port}/api/health`), 'nothing listens');
    const [record, ...others] = service.records;
    assert.deepEqual(
      [record?.event, record?.level, others],
      ['configuration_invalid', 'ERROR', []],
    );
    const faults = record?.['faults'] as string[];
    const names = faults.map((fault) => fault.split(' ')[0]);
    assert.deepEqual(names.sort(), ['ENABLE_LOGGING', 'REDIS_URL', 'SESSION_SECRET_KEY']);
    for (const fault of faults) assert.ok(String(record?.['message']).includes(fault));
    assert.doesNotMatch(JSON.stringify(record), /s3cret/);
  });

  it('with LOG_LEVEL suppresses records below it; a random session key and invented weather are warnings', async () => {
    const env = { LOG_LEVEL: 'INFO', SESSION_SECRET_KEY: '', WEATHER_PROVIDERS: 'demo' };
    const service = await startReplica(env);
    await ask(`${service.url}/api/health`);
    await ask(service.url + weatherOf('Oslo', 'Norway'));
    assert.equal(await service.stop(), 0);
    const others = service.records.filter(({ level }) => level !== 'INFO');
    assert.deepEqual(
      others.map(({ level, event }) => `${level} ${event}`),
      ['WARNING session_key_random', 'WARNING demo_provider_used'],
    );
  });
});

describe('a process with --check', () => {
  const env = {
    ...{ NODE_ENV: 'production', REDIS_URL: 'redis://:s3cret@127.0.0.1:1' },
    ...{ LOG_LEVEL: 'ERROR', ENABLE_LOGGING: 'false', RATE_LIMIT_TOTL: '5', RATE_LIMIT_TOTAL: '' },
  };

  for (const [entry, warnings] of [
    ['server.js', ['variables_unknown', 'provider_left_out', 'total_limit_is_default']],
    ['worker.js', ['variables_unknown', 'provider_left_out']],
  ] as const) {
    it(`of ${entry} logs its warnings and what it would use, and exits with code 0`, async () => {
      const service = launch(entry, env, { args: ['--check'] });
      assert.equal(await service.exited, 0);
      assert.deepEqual(service.noise, []);
      const warned = service.records.filter(({ level }) => level === 'WARNING');
      assert.deepEqual(warned.map(({ event }) => event).sort(), [...warnings].sort());
      assert.deepEqual(service.of('variables_unknown')[0]?.['names'], ['RATE_LIMIT_TOTL']);
      const last = service.records.at(-1);
      assert.deepEqual(
        [last?.event, last?.['store'], last?.['providers']],
        ['configuration_valid', 'redis at 127.0.0.1:1', 'open-meteo'],
      );
      assert.doesNotMatch(JSON.stringify(service.records), /s3cret/);
    });
  }

  it('and a fault logs the fault, and exits with code 1', async () => {
    const service = launch('server.js', { ...env, PORT: '70000' }, { args: ['--check'] });
    assert.equal(await service.exited, 1);
    assert.match(service.noise.join(), /"configuration_invalid".*PORT must be/);
  });

  it('that is misspelled logs the fault, and does not start', async () => {
    const service = launch('server.js', env, { args: ['--chek'] });
    assert.equal(await service.exited, 1);
    const [record] = service.records;
    assert.equal(record?.event, 'configuration_invalid');
    assert.match(String(record['message']), /the argument --chek is unknown/);
  });
});

describe('the limits of a process in production', () => {
  const production = {
    NODE_ENV: 'production',
    REDIS_URL: 'redis://127.0.0.1:1',
    READINESS_REQUIRES_REDIS: 'false',
    SESSION_SECRET_KEY: 'production-'.repeat(3),
    CORS_ORIGINS: 'https://app.example',
    // The processes of tests have no limits.
    RATE_LIMIT_PER_IP: '',
    RATE_LIMIT_TOTAL: '',
  };

  for (const { title, env, limits, warnings } of [
    {
      title: 'are in its start record, with a warning while the total limit is the default',
      env: {},
      limits: ['30/60', '200/3600'],
      warnings: 1,
    },
    {
      title: 'cause no warning if the total limit is set, even to the default or to none',
      env: { RATE_LIMIT_TOTAL: '0', RATE_LIMIT_PER_IP_WINDOW_SECONDS: '10' },
      limits: ['30/10', 'none'],
      warnings: 0,
    },
  ]) {
    it(title, async () => {
      const service = launch('server.js', { ...production, ...env });
      const started = await service.waitFor('server_started');
      service.kill('SIGKILL');
      await service.exited;
      assert.deepEqual([started['limit_per_ip'], started['limit_total']], limits);
      const found = service.of('total_limit_is_default');
      assert.equal(found.length, warnings);
      for (const { level, hint } of found) {
        assert.equal(level, 'WARNING');
        assert.match(String(hint), /200 requests an hour.*RATE_LIMIT_TOTAL/);
      }
    });
  }
});

/** Standard output stays empty. One record on standard error has the reason of the exit. */
describe('a process with ENABLE_LOGGING=false that cannot continue', () => {
  // No server listens on this port: a worker starts without Redis.
  const quiet = { REDIS_URL: 'redis://127.0.0.1:1', ENABLE_LOGGING: 'false' };

  async function assertLogged(service: Service, event: string) {
    assert.equal(await service.exited, 1);
    assert.deepEqual(service.records, []);
    const records = service.noise.map((line) => JSON.parse(line) as LogRecord);
    assert.deepEqual(
      records.map((record) => [record.level, record.event]),
      [['ERROR', event]],
    );
  }

  it('logs a fault on standard error', async () => {
    await assertLogged(
      launch('worker.js', { ...quiet, LOG_LEVEL: 'LOUD' }),
      'configuration_invalid',
    );
  });

  it('logs an uncaught exception on standard error', async () => {
    const throwing =
      "data:text/javascript,process.once('SIGUSR2', () => { throw new Error('thrown') })";
    const port = await freePort();
    const service = launch('worker.js', {
      ...quiet,
      NODE_OPTIONS: `--import "${throwing}"`,
      METRICS_PORT: String(port),
    });
    await eventually(
      () =>
        ask(`http://127.0.0.1:${port}/readyz`).then(
          () => true,
          () => false,
        ),
      'the metrics port',
      120_000,
    );
    service.kill('SIGUSR2');
    await assertLogged(service, 'uncaught_exception');
  });
});
