import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Heard } from '../../../src/redis/fetching/announcements.js';
import { watchWorkers } from '../../../src/redis/fetching/workers.js';
import { turn } from '../../support/eventually.js';

/** What a process hears of workers, in manual time. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let hear: (heard: Heard) => void = () => undefined;
  const jobs = { drains: 0, isAway: false };
  const workers = watchWorkers({
    announcements: { onWorkers: (listener) => void (hear = listener) },
    jobs: {
      drain() {
        jobs.drains += 1;
        return jobs.isAway ? Promise.reject(new Error('away')) : Promise.resolve();
      },
    },
  });
  t.after(() => {
    workers.close();
  });
  const pass = (seconds: number) => {
    t.mock.timers.tick(seconds * 1000);
  };
  return {
    jobs,
    workers,
    pass,
    hear: (heard: Heard) => {
      hear(heard);
    },
  };
}

describe('whether workers are counted on', () => {
  it('begins with a greeting, and not with the first messages', (t) => {
    const { workers, hear } = setUp(t);
    assert.equal(workers.areThere, false);
    hear('messages');
    assert.equal(workers.areThere, false);
    hear('here');
    assert.equal(workers.areThere, true);
  });

  it('ends after two seconds of silence, and begins again with a greeting', (t) => {
    const { workers, pass, hear } = setUp(t);
    hear('here');
    pass(1.5);
    assert.equal(workers.areThere, true);
    pass(0.5);
    assert.equal(workers.areThere, false);
    hear('here');
    assert.equal(workers.areThere, true);
  });

  it('ends at once when one leaves, or when no messages arrive any more', (t) => {
    const { workers, hear } = setUp(t);
    for (const ending of ['leaving', 'nothing'] as const) {
      hear('here');
      hear(ending);
      assert.equal(workers.areThere, false);
    }
  });
});

describe('jobs that wait for workers', () => {
  it('are removed once an absence of fifteen seconds', (t) => {
    const { jobs, pass, hear } = setUp(t);
    hear('messages');
    pass(12);
    hear('here');
    pass(14.5);
    assert.equal(jobs.drains, 0);
    pass(0.5);
    assert.equal(jobs.drains, 1);
    pass(60);
    assert.equal(jobs.drains, 1);
    hear('here');
    pass(15);
    assert.equal(jobs.drains, 2);
  });

  it('are removed later where Redis is unavailable', async (t) => {
    const { jobs, pass, hear } = setUp(t);
    hear('messages');
    jobs.isAway = true;
    pass(13);
    assert.equal(jobs.drains, 1);
    await turn();
    jobs.isAway = false;
    pass(0.5);
    await turn();
    pass(60);
    assert.equal(jobs.drains, 2);
  });

  it('stay while this process would not hear of a worker', (t) => {
    const { jobs, hear, pass } = setUp(t);
    hear('here');
    hear('nothing');
    pass(60);
    assert.equal(jobs.drains, 0);
  });
});
