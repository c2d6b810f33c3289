import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { launch, providersAt, startReplica } from '../support/service.js';
import { PATHS, startStubProvider } from '../support/stub-provider.js';

/** A hook for modules: the import of the log library reports itself, and never ends. */
const HOOK = `import { writeSync } from 'node:fs';
export function resolve(name, context, next) {
  if (name !== 'pino') return next(name, context);
  writeSync(2, 'stuck');
  return new Promise(() => {});
}`;
const asUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
/** The timer keeps the process running. */
const HOOKED = asUrl(
  `import { register } from 'node:module'; register(${JSON.stringify(asUrl(HOOK))}); setInterval(() => {}, 1000);`,
);

describe('SIGTERM or SIGINT', () => {
  for (const entry of ['server.js', 'worker.js'] as const) {
    it(`ends ${entry} with code 0 while it loads its modules`, async () => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        const program = launch(entry, { NODE_OPTIONS: `--import ${HOOKED}` });
        let errors = '';
        program.child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
        await eventually(() => errors.includes('stuck'), 'the import');
        program.kill(signal);
        assert.equal(await program.exited, 0);
      }
    });
  }

  it('ends a process at any moment of its start, without an error', async () => {
    const endedAfter = async (delayMs: number) => {
      const program = launch('server.js', { WEATHER_PROVIDERS: 'demo' });
      await sleep(delayMs);
      program.kill('SIGTERM');
      const code = await program.exited;
      // Before Node.js runs the first line, the signal itself ends the process.
      assert.ok(code === 0 || program.child.signalCode === 'SIGTERM', `${code} at ${delayMs}`);
      assert.deepEqual(program.noise, []);
      assert.deepEqual(
        program.records.filter(({ level }) => level === 'ERROR'),
        [],
      );
    };
    // At the same time, so that each start takes about a second.
    await Promise.all([0, 300, 600, 900].map(endedAfter));
  });

  it('ends the process at once, with code 1, if it is the second signal', async (t) => {
    const stub = await startStubProvider();
    t.after(() => stub.close());
    stub.behaveAll({ kind: 'hang' });
    for (const [first, second] of [
      ['SIGINT', 'SIGINT'],
      ['SIGTERM', 'SIGINT'],
    ] as const) {
      const service = await startReplica(providersAt(stub.url));
      const calls = stub.count(PATHS.openMeteo);
      const cut = attempt(service.url + placePath(1));
      await eventually(() => stub.count(PATHS.openMeteo) > calls, 'the request in flight');
      service.kill(first);
      await service.waitFor('shutdown_started');
      service.kill(second);
      assert.equal(await service.exited, 1);
      assert.equal((await cut).status, 0);
      assert.deepEqual(service.of('shutdown_complete'), []);
    }
  });
});
