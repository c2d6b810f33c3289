import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceUnavailableError } from '../../src/errors.js';
import { createFetchAdmission, type Admitted } from '../../src/weather/fetch-admission.js';
import { turn } from '../support/eventually.js';
import { manualClock } from '../support/manual-clock.js';

function setUp() {
  const clock = manualClock();
  const ending = new AbortController();
  const admission = createFetchAdmission({
    clock,
    slots: 2,
    expectedPerSecond: 4,
    ending: ending.signal,
  });
  const ends: (() => void)[] = [];
  const within = (ms: number) => clock.monotonic() + ms;
  /** One that waits for a fetch until the test ends it, or until it is given up. */
  function join(deadline = within(1e9)): Promise<string> {
    return admission.run(
      () => deadline,
      ({ signal, fetches }) =>
        new Promise<string>((resolve, reject) => {
          fetches();
          ends.push(() => {
            resolve('ended');
          });
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
    );
  }
  const joinMany = (count: number) => Array.from({ length: count }, () => join());
  async function endNext(): Promise<void> {
    ends.shift()?.();
    await turn();
  }
  const mayFetch = (deadline: number): Promise<boolean> =>
    admission.run(
      () => deadline,
      ({ mayFetch: answer }: Admitted) => Promise.resolve(answer),
    );
  return { clock, admission, join, joinMany, endNext, within, mayFetch, ending };
}

describe('fetch admission', () => {
  it('always has room for as many as run at the same time', async () => {
    const { joinMany, within, mayFetch } = setUp();
    void joinMany(1);
    assert.equal(await mayFetch(within(1)), true);
    assert.equal(await mayFetch(within(0)), false);
  });

  it('expects the given pace until it knows better', async () => {
    const { admission, joinMany, within, mayFetch } = setUp();
    void joinMany(7);
    assert.equal(await mayFetch(within(2000)), true);
    assert.equal(await mayFetch(within(1999)), false);
    assert.equal(admission.busy().retryAfterSeconds, 2);
  });

  it('learns the pace while more wait than run', async () => {
    const { joinMany, endNext, within, mayFetch, clock } = setUp();
    void joinMany(20);
    // One a second: four times slower than expected.
    for (let n = 0; n < 5; n += 1) {
      clock.advance(1000);
      await endNext();
    }
    assert.equal(await mayFetch(within(16_000)), true);
    assert.equal(await mayFetch(within(15_999)), false);
  });

  it('does not take rare requests for slow fetches', async () => {
    const { join, joinMany, endNext, within, mayFetch, clock } = setUp();
    for (let n = 0; n < 8; n += 1) {
      void join();
      clock.advance(1000);
      await endNext();
    }
    void joinMany(7);
    assert.equal(await mayFetch(within(2000)), true);
  });

  it('counts what found an entry, or was given up, for nothing', async () => {
    const { admission, joinMany, mayFetch, within, clock, ending } = setUp();
    const waiting = joinMany(4);
    for (let n = 0; n < 6; n += 1) {
      clock.advance(1);
      await mayFetch(within(1e9));
    }
    // The fifth at four a second.
    assert.equal(admission.busy().retryAfterSeconds, 2);
    assert.equal(await mayFetch(within(1249)), false);
    ending.abort(new Error('The process ends'));
    for (const result of await Promise.allSettled(waiting)) assert.equal(result.status, 'rejected');
    assert.equal(await mayFetch(within(1)), true);
  });

  it('forgets a pace of long ago', async () => {
    const { joinMany, endNext, within, mayFetch, clock } = setUp();
    void joinMany(12);
    for (let n = 0; n < 5; n += 1) {
      clock.advance(1000);
      await endNext();
    }
    clock.advance(10_001);
    assert.equal(await mayFetch(within(2000)), true);
  });

  it('gives up the last when the pace turns out slower, and tells when to try again', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { join, endNext, within, clock } = setUp();
    const deadline = within(5000);
    const waiting = Array.from({ length: 18 }, () => join(deadline));
    const outcomes = waiting.map((one) => one.catch((error: unknown) => error));
    for (let n = 0; n < 4; n += 1) {
      clock.advance(500);
      await endNext();
    }
    t.mock.timers.tick(500);
    const last = await outcomes.at(-1);
    assert.ok(last instanceof ServiceUnavailableError && last.retryAfterSeconds > 1);
    for (let n = 0; n < 14; n += 1) await endNext();
    // Two a second: six more within the three seconds that are left.
    const ended = (await Promise.all(outcomes)).filter((outcome) => outcome === 'ended');
    assert.equal(ended.length, 4 + 6);
  });
});
