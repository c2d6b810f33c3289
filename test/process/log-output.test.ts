import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The functions of the entry points, as an address that a program can import. */
const [functions] = buildSync({
  stdin: {
    contents: "export * from './src/process/log.js'; export * from './src/process/lifecycle.js';",
    resolveDir: ROOT,
  },
  ...{ bundle: true, packages: 'external', platform: 'node', format: 'esm', write: false },
}).outputFiles;

/** The arguments of a program that has the logger of the entry points. */
function program(source: string): string[] {
  const text = `
    ${functions!.text}
    const log = createLogger({ enabled: true, level: 'INFO' });
    exitOnUnexpected(log);
    ${source}`;
  return ['--input-type=module', '-e', text];
}

/** Runs a program to its end, and reads its output. */
function run(source: string) {
  const { status, stdout } = spawnSync(process.execPath, program(source), {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const lines = stdout.trim().split('\n');
  return { status, records: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

/** A program whose standard output is not read until the test does. */
async function startUnread(source: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, program(source), { cwd: ROOT });
  // It writes to standard error at the end of its source.
  await once(child.stderr, 'data');
  return child;
}

/** Far more than fits into a pipe and the buffer of the logger. */
const FLOOD = `
  const FLOOD = 20_000;
  for (let n = 0; n < FLOOD; n += 1) log.info({ event: 'flood', n, filler: 'x'.repeat(200) });
  process.stderr.write('here');`;

describe('records of a process that ends', () => {
  it('are all written if it exits in the same event loop iteration', () => {
    const { status, records } = run(`
      for (let n = 0; n < 3; n += 1) log.info({ event: 'last_record', n });
      process.exit(3);`);
    assert.equal(status, 3);
    assert.deepEqual(
      records.map((record) => record['n']),
      [0, 1, 2],
    );
  });

  for (const [event, failure] of [
    ['uncaught_exception', `throw new Error('unexpected');`],
    ['unhandled_rejection', `void Promise.reject(new Error('unexpected'));`],
  ]) {
    it(`are all written, with the error, on an ${event}, and the exit code is 1`, () => {
      const { status, records } = run(`
        setTimeout(() => process.exit(0), 5000);
        log.info({ event: 'before' });
        ${failure}`);
      assert.equal(status, 1);
      const written = records.map((record) => [record['event'], record['level']]);
      assert.deepEqual(written, [
        ['before', 'INFO'],
        [event, 'ERROR'],
      ]);
      assert.equal((records[1]?.['err'] as Error).message, 'unexpected');
    });
  }
});

describe('a standard output that is not read', () => {
  it('does not stop the process; records are dropped and counted, and the count is logged', async () => {
    const child = await startUnread(`${FLOOD}
      process.on('SIGTERM', () => exitWhenWritten(log, 0));
      setInterval(() => {}, 1000);`);
    let written = 0;
    let dropped = 0;
    let length = 0;
    for await (const line of createInterface({ input: child.stdout! })) {
      const record = JSON.parse(line) as { event: string; level: string; dropped: number };
      if (record.event === 'flood') {
        written += 1;
        length += line.length + 1;
      } else {
        assert.deepEqual([record.event, record.level], ['log_records_dropped', 'WARNING']);
        dropped += record.dropped;
      }
      // Each record was written or counted as dropped, so the process may end.
      if (written + dropped === 20_000) child.kill('SIGTERM');
    }
    // The program logs all of them in one event loop iteration. The last one exceeds the limit.
    assert.ok(length > 2 ** 20 && length < 2 ** 20 + 500, String(length));
    assert.equal(written + dropped, 20_000);
  });

  it('does not prevent the process from ending', async () => {
    const child = await startUnread(`${FLOOD}
      setTimeout(() => exitWhenWritten(log, 7), 10);`);
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 7);
  });

  it('that was closed does not end the process', async () => {
    const child = spawn(
      process.execPath,
      program(`
        process.stdin.once('data', () => {
          log.info({ event: 'nobody_reads' });
          log.flush(() => setTimeout(() => process.exit(5), 200));
        });
        process.stderr.write('here');`),
      { cwd: ROOT },
    );
    await once(child.stderr, 'data');
    child.stdout.destroy();
    child.stdin.write('go');
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 5);
  });
});

describe('a standard output on a full disk', () => {
  it('loses records, and their number is logged when there is space again', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'weather-log-'));
    t.after(() => {
      rmSync(folder, { recursive: true });
    });
    const path = join(folder, 'log');
    const file = openSync(path, 'a');
    // A file size limit takes a part of a write and rejects the next one, as a full disk does.
    const limited = ['-c', 'ulimit -f 400 && exec "$0" "$@"', process.execPath];
    const source = `
      process.stdin.on('data', () => {
        log.info({ event: 'later' });
        log.flush(() => process.stderr.write('done'));
      });
      for (let n = 0; n < 2000; n += 1) {
        log.info({ event: 'early', filler: 'x'.repeat(200 + (n % 7)) });
        await new Promise(setImmediate);
      }
      process.stderr.write('done');`;
    const child = spawn('sh', [...limited, ...program(source)], {
      cwd: ROOT,
      stdio: ['pipe', file, 'pipe'],
    });
    closeSync(file);
    const { stdin, stderr } = child as ChildProcess & { stdin: Writable; stderr: Readable };
    t.after(() => child.kill('SIGKILL'));
    const lines = () => readFileSync(path, 'utf8').split('\n');
    const isDone = () => once(stderr, 'data');
    /** Frees space, but leaves a line that is cut. */
    async function logAfter(freedBytes: number): Promise<void> {
      const text = readFileSync(path, 'utf8');
      const end = text.length - freedBytes;
      truncateSync(path, text[end - 1] === '\n' ? end - 1 : end);
      stdin.write('go');
      await isDone();
    }

    await isDone();
    const lost = 2000 - (lines().length - 1);
    assert.notEqual(lines().at(-1), '', 'the last line is cut');
    // Enough for one record, and not for a second one.
    await logAfter(100);
    assert.equal((JSON.parse(lines().at(-2)!) as { event: string }).event, 'later');
    await logAfter(1000);
    const [later, report] = lines()
      .slice(-3, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(later?.['event'], 'later');
    const { event, level, dropped } = report!;
    assert.deepEqual([event, level, dropped], ['log_records_dropped', 'WARNING', lost]);
  });
});
