import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { freePort } from '../support/redis-server.js';
import { launch, type Service } from '../support/service.js';

/** Starts it where it cannot tell where it listens, and waits until it answers. */
async function startQuietly(
  env: Record<string, string>,
): Promise<{ url: string; service: Service }> {
  const port = await freePort();
  const service = launch('server.js', { PORT: String(port), WEATHER_PROVIDERS: 'demo', ...env });
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    async () => (await ask(`${url}/api/health`).catch(() => undefined))?.status === 200,
    'the server',
  );
  return { url, service };
}

describe('the settings of the log', () => {
  it('LOG_LEVEL decides what is written', async () => {
    const expected = {
      DEBUG: ['DEBUG', 'INFO', 'WARNING'],
      info: ['INFO', 'WARNING'],
      WARNING: ['WARNING'],
      ERROR: [],
    };
    await Promise.all(
      Object.entries(expected).map(async ([level, written]) => {
        const { url, service } = await startQuietly({ LOG_LEVEL: level });
        await ask(url + weatherOf('Seattle', 'USA'));
        await ask(`${url}/api/weather`);
        // In order: a killed process loses the records that it has not written yet.
        service.kill('SIGTERM');
        await service.exited;
        const levels = new Set(service.records.map((record) => record.level));
        assert.deepEqual([...levels].sort(), written, level);
      }),
    );
  });

  it('without logging nothing is written', async () => {
    const { url, service } = await startQuietly({
      ENABLE_LOGGING: 'false',
      LOG_LEVEL: 'DEBUG',
      SESSION_SECRET_KEY: '',
    });
    await ask(url + weatherOf('Seattle', 'USA'));
    await ask(`${url}/api/weather`);
    service.kill('SIGTERM');
    assert.equal(await service.exited, 0);
    assert.deepEqual([service.records, service.noise], [[], []]);
  });
});
