import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { watchWorkers } from '../../../src/redis/fetching/workers.js';
import { manualClock } from '../../support/manual-clock.js';

/** What a process hears of workers, in manual time: a look each second. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const clock = manualClock();
  const heard = {
    greetedAt: clock.monotonic() as number | undefined,
    leftAt: -Infinity,
    workedAt: -Infinity,
  };
  const jobs = { waiting: new Set<string>(), drains: 0 };
  const workers = watchWorkers({
    announcements: heard,
    jobs: {
      exists: (id) => Promise.resolve(jobs.waiting.has(id)),
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
  async function pass(seconds: number, each: () => void = () => undefined): Promise<void> {
    for (let n = 0; n < seconds; n += 1) {
      clock.advance(1000);
      each();
      t.mock.timers.tick(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const greet = () => {
    heard.greetedAt = clock.monotonic();
  };
  return { clock, heard, jobs, workers, pass, greet };
}

describe('whether workers are counted on', () => {
  it('ends after two seconds of silence, and begins again with a greeting', async (t) => {
    const { workers, pass, greet } = setUp(t);
    await pass(1);
    assert.equal(workers.areThere, true);
    await pass(1);
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

  it('ends with a job that was left waiting, until that job is gone', async (t) => {
    const { workers, jobs, pass, greet } = setUp(t);
    greet();
    jobs.waiting.add('left');
    assert.equal(workers.leftWaiting('left'), true);
    assert.equal(workers.leftWaiting('another'), false);
    await pass(60, greet);
    assert.equal(workers.areThere, false);
    jobs.waiting.delete('left');
    await pass(1, greet);
    assert.equal(workers.areThere, true);
  });

  it('does not end while a worker is only busy', (t) => {
    const { workers, heard, clock, greet } = setUp(t);
    greet();
    heard.workedAt = clock.monotonic();
    assert.equal(workers.leftWaiting('job'), false);
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
    assert.equal(workers.leftWaiting('job'), true);
    assert.equal(workers.leftWaiting('another'), false);
  });
});

describe('jobs that wait for workers', () => {
  it('are removed once for each absence of fifteen seconds', async (t) => {
    const { jobs, pass, greet } = setUp(t);
    await pass(15);
    assert.equal(jobs.drains, 0);
    await pass(20);
    assert.equal(jobs.drains, 1);
    greet();
    await pass(15);
    assert.equal(jobs.drains, 1);
    await pass(2);
    assert.equal(jobs.drains, 2);
  });

  it('stay while this process would not hear of a worker', async (t) => {
    const { jobs, heard, pass } = setUp(t);
    heard.greetedAt = undefined;
    await pass(60);
    assert.equal(jobs.drains, 0);
  });
});
