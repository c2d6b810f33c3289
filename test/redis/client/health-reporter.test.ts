import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noInstruments } from '../../../src/base/instruments.js';
import type { FaultReason } from '../../../src/redis/client/redis-errors.js';
import { createHealthReporter } from '../../../src/redis/client/health-reporter.js';
import { manualClock } from '../../support/manual-clock.js';
import { recordingLog } from '../../support/records.js';

function setUp() {
  const clock = manualClock();
  const gauge: boolean[] = [];
  const { log, records } = recordingLog();
  const redisUnavailable = (isUnavailable: boolean) => gauge.push(isUnavailable);
  const instruments = { ...noInstruments, redisUnavailable };
  const reporter = createHealthReporter({ clock, log, instruments });
  const pass = (ms: number, reason?: FaultReason, isDown = reason !== undefined) => {
    for (let passed = 0; passed < ms; passed += 100) {
      reporter.update({ fault: reason && { reason, message: `${reason} of Redis` }, isDown });
      clock.advance(100);
    }
  };
  return {
    reporter,
    clock,
    gauge,
    events: () => records.map(({ event, reason }) => `${String(event)} ${String(reason)}`),
    records,
    /** Reports the same result every 100 ms. */
    pass,
  };
}

describe('the report of the availability of Redis', () => {
  it('omits faults of less than a second, however often they come', () => {
    const { pass, reporter, gauge, records } = setUp();
    for (let n = 0; n < 100; n += 1) {
      pass(1000, 'no_reply');
      pass(100);
      assert.equal(reporter.isDown, false);
    }
    assert.deepEqual([gauge, records], [[], []]);
  });

  it('follows a fault and its end after a second, with the message of Redis', () => {
    const { pass, reporter, gauge, records } = setUp();
    pass(1100, 'loading');
    assert.deepEqual([gauge, reporter.isDown], [[true], true]);
    const [record] = records;
    assert.deepEqual(
      [record?.['event'], record?.['reason'], record?.['message']],
      ['redis_unavailable', 'loading', 'loading of Redis'],
    );
    pass(1000);
    assert.deepEqual([gauge, reporter.isDown], [[true], true]);
    pass(100);
    assert.deepEqual([gauge, reporter.isDown], [[true, false], false]);
    assert.equal(records.at(-1)?.['event'], 'redis_recovered');
  });

  it('does not end while Redis rejects writes, although some health checks succeed', () => {
    const { pass, reporter, events } = setUp();
    const full = Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' });
    pass(1100, 'out_of_memory', false);
    for (let n = 0; n < 20; n += 1) {
      reporter.error(full);
      pass(900);
    }
    assert.deepEqual(events(), ['redis_unavailable out_of_memory']);
    pass(2100);
    assert.deepEqual(events().at(-1), 'redis_recovered out_of_memory');
  });

  it('shows each outage in the gauge, and logs identical records 30 s apart', () => {
    const { pass, gauge, events } = setUp();
    for (let n = 0; n < 20; n += 1) {
      pass(1500, 'no_reply');
      pass(1500);
    }
    assert.equal(gauge.length, 40);
    assert.deepEqual(events(), [
      'redis_unavailable no_reply',
      'redis_recovered no_reply',
      'redis_unavailable no_reply',
      'redis_recovered no_reply',
    ]);
  });

  it('logs each recovery at once if the reasons differ', () => {
    const { pass, events } = setUp();
    for (const reason of ['no_reply', 'read_only'] as const) {
      pass(1500, reason);
      pass(1500);
    }
    assert.deepEqual(events(), [
      'redis_unavailable no_reply',
      'redis_recovered no_reply',
      'redis_unavailable read_only',
      'redis_recovered read_only',
    ]);
  });

  it('logs another reason of the same outage, and the gauge does not change', () => {
    const { pass, gauge, events } = setUp();
    pass(2000, 'no_reply');
    pass(2000, 'no_connection');
    assert.deepEqual(gauge, [true]);
    assert.deepEqual(events(), ['redis_unavailable no_reply', 'redis_unavailable no_connection']);
  });

  it('logs another message of the same reason, at most one in 30 s', () => {
    const { reporter, clock, records } = setUp();
    const messages = () => records.map(({ message }) => message);
    const check = (seconds: number, message: string) => {
      for (let n = 0; n < seconds * 10; n += 1) {
        reporter.update({ fault: { reason: 'refused', message }, isDown: true });
        clock.advance(100);
      }
    };
    for (let n = 0; n < 100; n += 1) check(2, n % 2 ? 'NOPERM a command' : `MISCONF file ${n}`);
    assert.deepEqual(messages().length, 7);
    assert.deepEqual(messages().slice(0, 2), ['MISCONF file 0', 'NOPERM a command']);
  });

  it('logs at once why there is no connection, as soon as that is known', () => {
    const { reporter, clock, records } = setUp();
    const reason = 'no_connection';
    for (const message of ['Redis is not connected', 'connect ETIMEDOUT']) {
      for (let n = 0; n < 20; n += 1) {
        reporter.update({ fault: { reason, message }, isDown: true });
        clock.advance(100);
      }
    }
    const messages = records.map(({ message }) => message);
    assert.deepEqual(messages, ['Redis is not connected', 'connect ETIMEDOUT']);
  });

  it('does not change readiness while reads work', () => {
    const { pass, reporter, gauge } = setUp();
    pass(5000, 'read_only', false);
    assert.deepEqual([gauge, reporter.isDown], [[true], false]);
  });
});

describe('the report of error replies', () => {
  function setUpAvailable() {
    const all = setUp();
    all.pass(100);
    return all;
  }
  const errorReply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });

  it('is one record in 30 s, with the message of Redis', () => {
    const { pass, reporter, records } = setUpAvailable();
    for (let n = 0; n < 100; n += 1) {
      reporter.error(errorReply(`ERR of kind ${n}`));
      pass(500);
    }
    const messages = records.map(({ event, message }) => [event, message]);
    assert.deepEqual(messages, [
      ['redis_error', 'ERR of kind 0'],
      ['redis_error', 'ERR of kind 60'],
    ]);
  });

  it('is logged if a key of BullMQ has another type: without it, each process fetches alone', () => {
    const { reporter, records } = setUpAvailable();
    reporter.error(errorReply('WRONGTYPE Operation against a key'));
    assert.deepEqual(
      records.map(({ event, message }) => [event, message]),
      [['redis_error', 'WRONGTYPE Operation against a key']],
    );
  });

  it('omits moving keys, and what health checks report', () => {
    const { reporter, records } = setUpAvailable();
    for (const message of ['TRYAGAIN a slot moves', 'READONLY a replica']) {
      reporter.error(errorReply(message));
    }
    assert.deepEqual(records, []);
  });

  it('is omitted during a fault, which the health check reports', () => {
    const { pass, reporter, records } = setUp();
    reporter.error(errorReply('ERR unknown command'));
    pass(100);
    pass(100, 'authentication');
    reporter.error(errorReply('ERR unknown command'));
    assert.deepEqual(records, []);
  });

  it('makes the process unready, also in the gauge, for 30 s if a command or a key is forbidden', () => {
    const { pass, reporter, gauge } = setUp();
    reporter.error(errorReply("NOPERM User app has no permissions to run the 'set' command"));
    assert.deepEqual([gauge, reporter.isDown], [[true], true]);
    pass(30_900);
    assert.deepEqual([gauge, reporter.isDown], [[true], true]);
    pass(200);
    assert.deepEqual([gauge, reporter.isDown], [[true, false], false]);
  });

  it('does not change readiness if a channel is forbidden', () => {
    const { pass, reporter, records, gauge } = setUpAvailable();
    reporter.error(errorReply('NOPERM No permissions to access a channel'));
    pass(100);
    assert.deepEqual([reporter.isDown, records.length, gauge], [false, 1, []]);
  });
});
