import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { createWorkerHealth } from '../../../src/redis/fetching/worker-health.js';
import { manualClock } from '../../support/manual-clock.js';

const NOPERM = new Error('NOPERM');

function aWorker() {
  const clock = manualClock();
  const records: string[] = [];
  const redis = { isDegraded: false };
  const health = createWorkerHealth({
    now: () => clock.monotonic(),
    isRedisDegraded: () => redis.isDegraded,
    log: pino({}, { write: (line: string) => void records.push(line) }),
  });
  /** Fails once a second for so many seconds. */
  function failsFor(seconds: number): void {
    for (let n = 0; n <= seconds; n += 1) {
      health.failed(NOPERM);
      if (n < seconds) clock.advance(1000);
    }
  }
  return { clock, records, redis, health, failsFor };
}

describe('the health of a worker', () => {
  it('bears errors for five seconds, and ends with one record for all that follow', () => {
    const { records, health, failsFor } = aWorker();
    assert.ok(health.isWell());
    failsFor(4);
    assert.ok(health.isWell());
    failsFor(60);
    assert.ok(!health.isWell());
    assert.equal(records.length, 1);
    assert.match(records[0]!, /worker_failing/);
  });

  it('does not add up errors that are far apart', () => {
    const { clock, records, health } = aWorker();
    for (let n = 0; n < 10; n += 1) {
      health.failed(NOPERM);
      clock.advance(10_001);
    }
    assert.ok(health.isWell());
    assert.equal(records.length, 0);
  });

  it('returns when nothing has failed for ten seconds, and can end again', () => {
    const { clock, records, health, failsFor } = aWorker();
    failsFor(5);
    clock.advance(10_000);
    assert.ok(!health.isWell());
    clock.advance(1);
    assert.ok(health.isWell());
    failsFor(5);
    assert.ok(!health.isWell());
    assert.equal(records.length, 2);
  });

  it('is not touched by what goes wrong for the whole process', () => {
    const { records, redis, health, failsFor } = aWorker();
    failsFor(3);
    redis.isDegraded = true;
    failsFor(60);
    redis.isDegraded = false;
    failsFor(4);
    assert.ok(health.isWell());
    assert.equal(records.length, 0);
  });
});
