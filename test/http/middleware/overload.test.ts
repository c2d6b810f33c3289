import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AppContext } from '../../../src/http/context.js';
import { overload } from '../../../src/http/middleware/overload.js';
import { noInstruments } from '../../../src/process/instruments.js';
import { recordingLog } from '../../support/records.js';

/** So long each request keeps this process busy: a hundred of them need more than a second. */
const WORK_MS = 20;

/** Longer than those who wait may begin in one round. */
const REFUSING_MS = 25;

function beBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function setUp({ workMs = WORK_MS } = {}) {
  const { log, records } = recordingLog();
  const admit = overload({ log, instruments: noInstruments, isDirect: false });
  const refusals: unknown[] = [];
  const reading: string[] = [];
  let begun = 0;
  function work(): Promise<void> {
    begun += 1;
    beBusy(workMs);
    return Promise.resolve();
  }
  async function ask(bytesWritten = 1): Promise<void> {
    const socket = {
      bytesWritten,
      pause: () => void reading.push('pause'),
      resume: () => void reading.push('resume'),
    };
    const headers: Record<string, string> = {};
    const res = { setHeader: (name: string, value: string) => void (headers[name] = value) };
    const ctx = { req: { socket }, res, state: {}, status: 404 };
    await admit(ctx as unknown as AppContext, work);
    if (ctx.status !== 404) refusals.push([ctx.status, headers['Retry-After']]);
  }
  return { records, refusals, reading, ask, begun: () => begun };
}

describe('a process with more requests than it can do', () => {
  it('answers all of a crowd that came at once', async () => {
    const { records, refusals, ask } = setUp();
    await Promise.all(Array.from({ length: 100 }, () => ask()));
    assert.deepEqual([records, refusals], [[], []]);
  });

  it('refuses what comes while others have waited for a second, and says so once', async () => {
    const { records, refusals, ask } = setUp();
    const crowd = Array.from({ length: 100 }, () => ask());
    while (refusals.length < 3) {
      assert.ok(crowd.length < 1000, 'nothing is refused');
      await new Promise(setImmediate);
      crowd.push(ask());
    }
    await Promise.all(crowd);
    for (const refusal of refusals) assert.deepEqual(refusal, [503, '5']);
    assert.deepEqual(
      records.map(({ event }) => event),
      ['overload_began'],
    );
    await ask();
  });

  for (const [bytesWritten, whose] of [
    [1, 'known'],
    [0, 'new'],
  ] as const) {
    it(`goes on with those who wait while its time goes into refusals over ${whose} connections`, async () => {
      const { refusals, ask, begun } = setUp({ workMs: 5 });
      const crowd = Array.from({ length: 500 }, () => ask());
      while (refusals.length === 0) {
        await new Promise(setImmediate);
        crowd.push(ask());
      }
      const before = begun();
      for (let round = 0; round < 20; round += 1) {
        await new Promise(setImmediate);
        crowd.push(ask(bytesWritten));
        beBusy(REFUSING_MS);
      }
      // One a round would be a fraction of what it can do.
      assert.ok(begun() - before > 25, `${begun() - before} of those who wait have begun`);
      await Promise.all(crowd);
    });
  }

  it('reads no more over the connection of a refused request in that round', async () => {
    const { refusals, reading, ask } = setUp();
    const crowd = Array.from({ length: 100 }, () => ask());
    while (refusals.length === 0) {
      assert.deepEqual(reading, []);
      await new Promise(setImmediate);
      crowd.push(ask());
      await new Promise((resolve) => {
        process.nextTick(resolve);
      });
    }
    assert.deepEqual(reading, ['pause']);
    await new Promise(setImmediate);
    assert.deepEqual(reading, ['pause', 'resume']);
    await Promise.all(crowd);
  });
});
