import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program that has the handlers of the entry points and meets what nobody expected. */
function run(surprise: string) {
  const program = `
    import { createLogger } from './src/process/log.ts';
    import { exitOnUnexpected } from './src/process/lifecycle.ts';
    exitOnUnexpected(createLogger({ enabled: true, level: 'INFO' }));
    setTimeout(() => process.exit(0), 5000);
    ${surprise}`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return {
    status,
    records: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  };
}

function assertLogged(records: object[], event: string, message: string): void {
  assert.equal(records.length, 1);
  const [record] = records as { event: string; level: string; err: { message: string } }[];
  assert.deepEqual([record?.event, record?.level, record?.err.message], [event, 'ERROR', message]);
}

describe('an unexpected failure', () => {
  it('that is an unhandled rejection is logged, and ends the process with code 1', () => {
    const { status, records } = run(`void Promise.reject(new Error('lost'));`);
    assert.equal(status, 1);
    assertLogged(records, 'unhandled_rejection', 'lost');
  });

  it('that is an uncaught exception is logged, and ends the process with code 1', () => {
    const { status, records } = run(`setTimeout(() => { throw new Error('thrown'); }, 1);`);
    assert.equal(status, 1);
    assertLogged(records, 'uncaught_exception', 'thrown');
  });
});
