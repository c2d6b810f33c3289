import assert from 'node:assert/strict';
import { it } from 'node:test';
import { weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { startReplica } from '../support/service.js';

/** Prints, when a process ends, the built-in modules named like Node.js' HTTP client. */
const PRINT_MODULES =
  `process.on('exit', () => process.stderr.write(process.moduleLoadList` +
  `.filter((name) => name.includes('undici')).join() + '.'))`;

it('a replica does not load the HTTP client of Node.js, which takes 17 MB and a seventh of its start', async () => {
  const script = `data:text/javascript,${encodeURIComponent(PRINT_MODULES)}`;
  const env = { WEATHER_PROVIDERS: 'demo', NODE_OPTIONS: `--import=${script}` };
  const service = await startReplica(env);
  assert.equal((await ask(service.url + weatherOf('Seattle', 'USA'))).status, 200);
  await service.stop();
  assert.deepEqual(service.noise, ['.']);
});
