import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ServiceUnavailableError } from '../../src/weather/errors.js';
import type { Scope } from '../../src/weather/request-scope.js';
import { createSingleFlight } from '../../src/weather/single-flight.js';
import { nextIteration } from '../support/eventually.js';
import { systemClock } from '../support/manual-clock.js';
import { scope } from '../support/scope.js';

/** A single-flight whose work the test ends. What is left ends after the test. */
function setUp(t: TestContext) {
  const join = createSingleFlight<string>({ clock: systemClock, maxWaitMs: 10_000 });
  const works: {
    scope: Scope;
    resolve: (result: string) => void;
    reject: (error: Error) => void;
  }[] = [];
  t.after(() => {
    for (const { reject } of works) reject(new Error('the test has ended'));
  });
  const ask = (given: Partial<Scope> = {}, key = 'a') => {
    const asked = join(
      key,
      scope({ deadline: Infinity, ...given }),
      (shared) =>
        new Promise((resolve, reject) => {
          works.push({ scope: shared, resolve, reject });
        }),
    );
    asked.catch(() => undefined);
    return asked;
  };
  return { ask, works };
}

describe('requests for one key at the same time', () => {
  it('share one operation, and know which of them has joined', async (t) => {
    const { ask, works } = setUp(t);
    const asked = [ask(), ask(), ask({}, 'b')];
    await nextIteration();
    assert.equal(works.length, 2);
    for (const { resolve } of works) resolve('done');
    assert.deepEqual(
      (await Promise.all(asked)).map(({ hasJoined }) => hasJoined),
      [false, true, false],
    );
  });

  it('leave the work to the others when one of them ends', async (t) => {
    const { ask, works } = setUp(t);
    const controller = new AbortController();
    const gone = assert.rejects(ask({ signal: controller.signal }), /gone/);
    const other = ask();
    await nextIteration();
    controller.abort(new Error('gone'));
    await gone;
    assert.equal(works[0]!.scope.signal.aborted, false);
    works[0]!.resolve('done');
    assert.deepEqual(await other, { result: 'done', hasJoined: true });
  });
});

describe('work for which no request waits any more', () => {
  it('is aborted, and the next request does not join it', async (t) => {
    const { ask, works } = setUp(t);
    await assert.rejects(ask({ deadline: systemClock.monotonic() + 20 }), ServiceUnavailableError);
    assert.equal(works[0]!.scope.signal.aborted, true);
    const second = ask();
    await nextIteration();
    // The end of the first work must not allow a third one beside the second.
    works[0]!.reject(new Error('aborted'));
    await nextIteration();
    const third = ask();
    await nextIteration();
    assert.equal(works.length, 2);
    works[1]!.resolve('done');
    assert.deepEqual(await Promise.all([second, third]), [
      { result: 'done', hasJoined: false },
      { result: 'done', hasJoined: true },
    ]);
  });
});
