import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Breakers } from '../../src/upstream/breakers.js';
import { isOpen } from '../support/breakers.js';

export interface BreakersUnderTest {
  /** As two processes would hold them; an adapter of one process gives the same twice. */
  ours: Breakers;
  theirs: Breakers;
  /** Lets so much time pass for the breaker of that name. */
  advance(name: string, ms: number): Promise<void>;
}

let names = 0;
/** A breaker that no other test uses. */
const newName = () => `upstream-${(names += 1)}`;

async function openByFailures({ ours }: BreakersUnderTest, name: string) {
  for (let failure = 1; failure <= 3; failure += 1) await ours.failed(name, {});
}

async function waitOf(breakers: Breakers, name: string): Promise<number> {
  const admission = await breakers.acquire(name);
  assert.ok(!admission.allowed);
  return admission.retryAfterMs;
}

/** What every adapter of the port does. Bounds leave room for the time that a test itself takes. */
export function breakersContract(adapter: string, create: () => BreakersUnderTest): void {
  describe(`breakers: ${adapter}`, () => {
    it('admits everyone to an upstream that never failed', async () => {
      const { ours } = create();
      const name = newName();
      assert.deepEqual(await ours.acquire(name), { allowed: true, probe: false });
      assert.equal(await ours.succeeded(name), undefined);
      assert.deepEqual(await ours.acquire(name), { allowed: true, probe: false });
    });

    it('opens at the third failure in a row and tells one caller', async () => {
      const { ours, theirs } = create();
      const name = newName();
      assert.equal(await ours.failed(name, {}), undefined);
      assert.equal(await theirs.failed(name, {}), undefined);
      assert.equal((await ours.acquire(name)).allowed, true);
      const changes = await Promise.all([ours.failed(name, {}), theirs.failed(name, {})]);
      assert.deepEqual(changes.filter(Boolean), ['opened']);
      assert.equal((await theirs.acquire(name)).allowed, false);
    });

    it('counts only failures in a row', async () => {
      const { ours } = create();
      const name = newName();
      await ours.failed(name, {});
      await ours.failed(name, {});
      await ours.succeeded(name);
      await ours.failed(name, {});
      assert.equal(await ours.failed(name, {}), undefined);
      assert.equal((await ours.acquire(name)).allowed, true);
    });

    it('ends a row of failures with a success of whoever was admitted after them', async () => {
      const { ours, theirs } = create();
      const name = newName();
      await ours.acquire(name);
      await theirs.failed(name, {});
      await ours.failed(name, {});
      await ours.succeeded(name);
      await theirs.failed(name, {});
      await theirs.failed(name, {});
      await ours.acquire(name);
      await ours.succeeded(name);
      assert.equal(await theirs.failed(name, {}), undefined);
      assert.equal((await ours.acquire(name)).allowed, true);
    });

    it('keeps the breakers of two upstreams apart', async () => {
      const test = create();
      await openByFailures(test, newName());
      assert.equal((await test.ours.acquire(newName())).allowed, true);
    });

    it('admits one probe when the open time is over', async () => {
      const test = create();
      const { ours, theirs } = test;
      const name = newName();
      await openByFailures(test, name);
      const wait = await waitOf(theirs, name);
      assert.ok(wait > 0 && wait <= 5000, `${wait} ms`);
      await test.advance(name, 5000);
      const both = await Promise.all([ours.acquire(name), theirs.acquire(name)]);
      const admitted = both.filter((each) => each.allowed);
      assert.deepEqual(admitted, [{ allowed: true, probe: true }]);
    });

    it('closes when the probe succeeds and tells one caller', async () => {
      const test = create();
      const { ours, theirs } = test;
      const name = newName();
      await openByFailures(test, name);
      await test.advance(name, 5000);
      await ours.acquire(name);
      const changes = await Promise.all([ours.succeeded(name), theirs.succeeded(name)]);
      assert.deepEqual(changes.filter(Boolean), ['closed']);
      assert.deepEqual(await ours.acquire(name), { allowed: true, probe: false });
      assert.equal(await ours.failed(name, {}), undefined);
    });

    it('stays open longer after each failed probe, at most 30 s', async () => {
      const test = create();
      const { ours } = test;
      const name = newName();
      await openByFailures(test, name);
      for (const [least, most] of [
        [5000, 10_000],
        [10_000, 20_000],
        [20_000, 30_000],
        [20_000, 30_000],
        [20_000, 30_000],
      ] as const) {
        await test.advance(name, 30_000);
        assert.deepEqual(await ours.acquire(name), { allowed: true, probe: true });
        assert.equal(await ours.failed(name, {}), undefined);
        const wait = await waitOf(ours, name);
        assert.ok(wait > least && wait <= most, `${wait} ms`);
      }
    });

    it('starts from the shortest open time again after it was closed', async () => {
      const test = create();
      const name = newName();
      await openByFailures(test, name);
      await test.advance(name, 30_000);
      await test.ours.acquire(name);
      await test.ours.failed(name, {});
      await test.advance(name, 30_000);
      await test.ours.acquire(name);
      await test.ours.succeeded(name);
      await openByFailures(test, name);
      assert.ok((await waitOf(test.ours, name)) <= 5000);
    });

    it('opens at once for a used-up quota, until its window ends', async () => {
      const test = create();
      const { ours, theirs } = test;
      const name = newName();
      assert.equal(await ours.failed(name, { retryAfterMs: 3_600_000 }), 'opened');
      const wait = await waitOf(theirs, name);
      assert.ok(wait > 3_500_000 && wait <= 3_600_000, `${wait} ms`);
      await test.advance(name, 3_000_000);
      assert.equal((await theirs.acquire(name)).allowed, false);
      await test.advance(name, 600_000);
      assert.deepEqual(await theirs.acquire(name), { allowed: true, probe: true });
    });

    it('is not closed by a late success of a call from before the quota was used up', async () => {
      const { ours, theirs } = create();
      const name = newName();
      await ours.failed(name, { retryAfterMs: 3_600_000 });
      assert.equal(await theirs.succeeded(name), undefined);
      assert.equal((await theirs.acquire(name)).allowed, false);
    });

    it('takes the longer of two windows, and late failures change nothing else', async () => {
      const { ours, theirs } = create();
      const name = newName();
      await ours.failed(name, { retryAfterMs: 60_000 });
      assert.equal(await theirs.failed(name, { retryAfterMs: 3_600_000 }), undefined);
      assert.equal(await theirs.failed(name, { retryAfterMs: 1000 }), undefined);
      assert.equal(await theirs.failed(name, {}), undefined);
      assert.ok((await waitOf(ours, name)) > 3_500_000);
    });

    it('forgets a probe that never reports', async () => {
      const test = create();
      const name = newName();
      await openByFailures(test, name);
      await test.advance(name, 5000);
      await test.ours.acquire(name);
      const wait = await waitOf(test.theirs, name);
      assert.ok(wait > 0 && wait <= 15_000, `${wait} ms`);
      await test.advance(name, 15_000);
      assert.deepEqual(await test.theirs.acquire(name), { allowed: true, probe: true });
    });

    it('lets the next probe through at once when one is abandoned', async () => {
      const test = create();
      const name = newName();
      await openByFailures(test, name);
      await test.advance(name, 5000);
      await test.ours.acquire(name);
      await test.ours.abandoned(name);
      assert.deepEqual(await test.theirs.acquire(name), { allowed: true, probe: true });
    });

    it('ignores an ordinary call that is abandoned', async () => {
      const { ours } = create();
      const name = newName();
      await ours.abandoned(name);
      await ours.failed(name, {});
      await ours.abandoned(name);
      assert.deepEqual(await ours.acquire(name), { allowed: true, probe: false });
    });

    it('says open only while a caller would be refused', async () => {
      const test = create();
      const { ours, theirs } = test;
      const name = newName();
      assert.equal(await isOpen(theirs, name), false);
      await openByFailures(test, name);
      assert.equal(await isOpen(theirs, name), true);
      await test.advance(name, 5000);
      assert.equal(await isOpen(theirs, name), false, 'the next call would be the probe');
      assert.deepEqual(await ours.acquire(name), { allowed: true, probe: true });
      assert.equal(await isOpen(theirs, name), true, 'the probe is out');
      await test.advance(name, 15_000);
      assert.equal(await isOpen(theirs, name), false, 'the probe is forgotten');
      await ours.acquire(name);
      await ours.succeeded(name);
      assert.equal(await isOpen(theirs, name), false);
    });

    it('changes nothing when it is asked whether it is open', async () => {
      const test = create();
      const name = newName();
      await openByFailures(test, name);
      await test.advance(name, 5000);
      await isOpen(test.ours, name);
      assert.deepEqual(await test.theirs.acquire(name), { allowed: true, probe: true });
    });
  });
}
