import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { createRequestQueue } from '../../src/http/request-queue.js';
import { block } from '../support/block.js';

let cpuMs = 0;

/** Uses CPU time. The queue does not see the CPU time of other tests in this process. */
function work(ms: number): void {
  cpuMs += ms;
}

/** Adds requests to a queue. Returns, for each one when all have begun, whether it was late. */
async function begin(
  queue: ReturnType<typeof createRequestQueue>,
  count: number,
  each: (number: number) => void = () => undefined,
) {
  const late: boolean[] = [];
  await new Promise<void>((resolve) => {
    for (let n = 0; n < count; n += 1) {
      const request = { isLate: false };
      queue.add(request, () => {
        late.push(request.isLate);
        each(late.length);
        if (late.length === count) resolve();
      });
    }
  });
  return late;
}

describe('the queue of requests', () => {
  before(() => mock.method(process, 'cpuUsage', () => ({ user: 0, system: cpuMs * 1000 })));
  after(() => {
    mock.restoreAll();
  });

  it('marks requests as late that have waited for more than half a second of work', async () => {
    const queue = createRequestQueue();
    // 64 requests begin per iteration.
    const late = await begin(queue, 130, (number) => {
      if (number === 65) work(600);
    });
    assert.deepEqual([late[0], late[127], late[128], late[129]], [false, false, true, true]);
    assert.deepEqual(await begin(queue, 1), [false]);
  });

  it('begins at most 32 late requests before a request that is not late', async () => {
    const queue = createRequestQueue();
    let begun = 0;
    let whenInTime: (lateBefore: number) => void;
    const lateBefore = new Promise<number>((resolve) => (whenInTime = resolve));
    const addInTime = () => {
      const request = { isLate: false };
      queue.add(request, () => {
        assert.ok(!request.isLate);
        whenInTime(begun - 128);
      });
    };
    const all = begin(queue, 300, (number) => {
      begun = number;
      // The callback runs after this event loop iteration, when the 172 other requests are late.
      if (begun === 127) setImmediate(addInTime);
      if (begun === 128) work(600);
    });
    assert.equal(await lateBefore, 32);
    const late = await all;
    assert.ok(!late.slice(0, 128).includes(true));
    assert.ok(!late.slice(128).includes(false));
  });

  it('begins 8 probes per event loop iteration, and 8 requests after a new connection', async () => {
    const queue = createRequestQueue();
    const begun: string[] = [];
    const all = new Promise<void>((resolve) => {
      for (let n = 0; n < 9; n += 1) {
        queue.addProbe(() => begun.push('probe'));
        queue.add({ isLate: false }, () => {
          if (begun.push('request') === 18) resolve();
        });
      }
    });
    queue.connectionAccepted();
    await all;
    const expected = ['probe', 'request'].flatMap((each) => Array<string>(8).fill(each));
    assert.deepEqual(begun, [...expected, 'probe', 'request']);
    await new Promise<void>((resolve) => {
      createRequestQueue().addProbe(resolve);
    });
  });

  it('marks no request as late after the process was stopped', async () => {
    const queue = createRequestQueue();
    const late = await begin(queue, 130, (number) => {
      if (number === 65) block(1500);
    });
    assert.ok(!late.includes(true));
  });

  it('does not count the work before a request was received', async () => {
    const queue = createRequestQueue();
    await begin(queue, 130);
    work(600);
    const late = await begin(queue, 130);
    assert.ok(!late.includes(true));
  });
});
