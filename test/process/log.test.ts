import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceUnavailableError, UpstreamError } from '../../src/weather/errors.js';
import { createLogger } from '../../src/process/log.js';

/** The lines that a logger writes. */
function written(
  work: (log: ReturnType<typeof createLogger>) => void,
  settings: Parameters<typeof createLogger>[0] = { enabled: true, level: 'DEBUG' },
): string[] {
  const lines: string[] = [];
  work(createLogger(settings, { write: (line) => void lines.push(line) }));
  return lines;
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const;

const parse = (line: string | undefined) => JSON.parse(line ?? '') as Record<string, unknown>;

describe('the logger', () => {
  it('writes timestamp, level, event, then the fields, one record per line', () => {
    const [line] = written((log) => {
      log.info({ event: 'weather_request', city: 'Oslo', duration_ms: 3 });
    });
    const fields = ['timestamp', 'level', 'event', 'city', 'duration_ms'];
    assert.deepEqual(Object.keys(parse(line)), fields);
    assert.match(String(parse(line)['timestamp']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(line?.indexOf('\n'), line!.length - 1);
  });

  it('writes records from its level on, and only the reason of the exit if it is turned off', () => {
    const all = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'ERROR'];
    for (const [settings, expected] of [
      [{ enabled: true, level: 'DEBUG' }, all],
      [{ enabled: true, level: 'WARNING' }, all.slice(2)],
      [{ enabled: false, level: 'DEBUG' }, all.slice(4)],
    ] as const) {
      const lines = written((log) => {
        for (const level of LEVELS) log[level]({ event: 'x' });
      }, settings);
      assert.deepEqual(
        lines.map((line) => parse(line)['level']),
        expected,
      );
    }
  });

  it('writes type, message, stack, and cause of an error, each once', () => {
    const [line] = written((log) => {
      log.error({ event: 'x', err: new TypeError('outer', { cause: new Error('inner') }) });
    });
    const record = parse(line) as { err: { stack: string; cause: { stack: string } } };
    assert.deepEqual(Object.keys(record), ['timestamp', 'level', 'event', 'err']);
    const { stack, cause, ...rest } = record.err;
    assert.deepEqual(rest, { type: 'TypeError', message: 'outer' });
    assert.match(stack, /^TypeError: outer\n {4}at /);
    assert.match(cause.stack, /^Error: inner/);
  });

  it('writes printable text, wherever it comes from', () => {
    const harmful = 'a\u009bb\u2028c\u202ed\u2069e\u200ff\u0000g\nh\u{e0041}';
    const clean = 'a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\ufffdh\ufffd';
    const [line] = written((log) => {
      log.error({
        event: 'x',
        message: harmful,
        list: [harmful, [harmful], 1],
        err: new TypeError(harmful, { cause: new Error(harmful, { cause: harmful }) }),
      });
    });
    const { message, list, err } = parse(line) as Record<string, Error>;
    assert.deepEqual([message, list], [clean, [clean, [clean], 1]]);
    const { cause } = err as { cause: Error };
    assert.deepEqual([err?.message, cause.message], [clean, clean]);
    assert.deepEqual(cause.cause, { type: 'string', message: clean });
    // The stack has a line for each line of the message, then one for each call.
    assert.match(String(err?.stack), /^TypeError: a\ufffdb.+g\nh\ufffd\n {4}at /);
    assert.doesNotMatch(line ?? '', /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}](?!$)|\\[tr u]/u);
  });

  it('writes bounded text', () => {
    const long = 'x\n'.repeat(100_000);
    const [line] = written((log) => {
      log.error({ event: 'x', text: long, list: [long], err: new Error(long) });
    });
    const { text, list, err } = parse(line) as { text: string; list: string[]; err: Error };
    for (const each of [text, list[0], err.message]) assert.equal(each?.length, 2001);
    assert.equal(err.stack?.split('\n').length, 30);
  });

  it('writes the stack of an expected error without calls', () => {
    const [line] = written((log) => {
      const cause = new UpstreamError('some-provider', 'unavailable', 'server error');
      log.error({ event: 'x', err: new ServiceUnavailableError('no answer', { cause }) });
    });
    assert.deepEqual(parse(line)['err'], {
      type: 'ServiceUnavailableError',
      message: 'no answer',
      stack: 'ServiceUnavailableError: no answer',
      cause: {
        type: 'UpstreamError',
        message: 'some-provider: server error',
        stack: 'UpstreamError: some-provider: server error',
      },
    });
  });
});
