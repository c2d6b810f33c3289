import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { watchWorkers } from '../../../src/redis/fetching/workers.js';
import { manualClock } from '../../support/manual-clock.js';

/** What a process hears of workers, in manual time. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clock = manualClock();
  const heard = {
    greetedAt: clock.monotonic() as number | undefined,
    leftAt: -Infinity,
    workedAt: -Infinity,
  };
  const jobs = { drains: 0 };
  const workers = watchWorkers({
    heard,
    jobs: {
      drain() {
        jobs.drains += 1;
        return Promise.resolve();
      },
    },
    clock,
  });
  t.after(() => {
    workers.close();
  });
  function pass(seconds: number): void {
    for (let n = 0; n < seconds; n += 1) {
      clock.advance(1000);
      t.mock.timers.tick(1000);
    }
  }
  const greet = () => {
    heard.greetedAt = clock.monotonic();
  };
  return { clock, heard, jobs, workers, pass, greet };
}

describe('whether workers are counted on', () => {
  it('ends after two seconds of silence, and begins again with a greeting', (t) => {
    const { workers, pass, greet } = setUp(t);
    pass(1);
    assert.equal(workers.areThere, true);
    pass(1);
    assert.equal(workers.areThere, false);
    greet();
    assert.equal(workers.areThere, true);
  });

  it('ends at once when one leaves, until another greets', (t) => {
    const { workers, heard, clock, greet } = setUp(t);
    heard.leftAt = clock.monotonic();
    assert.equal(workers.areThere, false);
    clock.advance(1);
    greet();
    assert.equal(workers.areThere, true);
  });

  it('ends with a job that was left waiting, but for one job each ten seconds', (t) => {
    const { workers, pass, greet } = setUp(t);
    workers.hasJob();
    pass(2);
    assert.equal(workers.leftWaiting(), true);
    assert.equal(workers.leftWaiting(), false);
    for (const seconds of [7, 9]) {
      pass(seconds);
      greet();
      assert.equal(workers.areThere, false);
      pass(1);
      assert.equal(workers.areThere, true);
      workers.hasJob();
      assert.equal(workers.areThere, false);
    }
    assert.equal(workers.leftWaiting(), false);
  });

  it('begins again when a worker ends a run', (t) => {
    const { workers, heard, clock, greet } = setUp(t);
    workers.hasJob();
    assert.equal(workers.leftWaiting(), true);
    greet();
    assert.equal(workers.areThere, false);
    clock.advance(1);
    heard.workedAt = clock.monotonic();
    assert.equal(workers.areThere, true);
  });

  it('does not end while a worker is only busy', (t) => {
    const { workers, heard, clock, greet } = setUp(t);
    greet();
    heard.workedAt = clock.monotonic();
    assert.equal(workers.leftWaiting(), false);
    assert.equal(workers.areThere, true);
  });
});

describe('a worker that dies', () => {
  it('is news with the first job that it leaves waiting, also just after it has worked', (t) => {
    const { workers, heard, clock, greet } = setUp(t);
    greet();
    clock.advance(1000);
    heard.workedAt = clock.monotonic();
    clock.advance(1500);
    assert.equal(workers.areThere, false);
    assert.equal(workers.leftWaiting(), true);
    assert.equal(workers.leftWaiting(), false);
  });
});

describe('jobs that wait for workers', () => {
  it('are removed after fifteen seconds without a worker', (t) => {
    const { jobs, pass, greet } = setUp(t);
    pass(14);
    greet();
    pass(15);
    assert.equal(jobs.drains, 0);
    pass(15);
    assert.equal(jobs.drains, 1);
  });

  it('stay while this process would not hear of a worker', (t) => {
    const { jobs, heard, pass } = setUp(t);
    heard.greetedAt = undefined;
    pass(60);
    assert.equal(jobs.drains, 0);
  });
});
