import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '../../../src/http/context.js';
import { shedOverload } from '../../../src/http/middleware/overload.js';
import { noInstruments } from '../../../src/process/instruments.js';
import { recordingLog } from '../../support/records.js';

/** Uses CPU time, also on a machine that gives this process little of it. */
function beBusy(ms: number): void {
  const begin = process.cpuUsage();
  const until = performance.now() + ms;
  const usedMs = () => process.cpuUsage(begin).user / 1000;
  while (performance.now() < until || usedMs() < ms);
}

function setUp() {
  const { log, records } = recordingLog();
  let counted = 0;
  const overloadRefused = () => {
    counted += 1;
  };
  const admit = shedOverload({ log, instruments: { ...noInstruments, overloadRefused } });
  async function ask() {
    const headers: Record<string, string> = {};
    const res = { setHeader: (name: string, value: string) => void (headers[name] = value) };
    const ctx = { res, state: {}, status: 404 };
    await admit(ctx as unknown as AppContext, () => {
      ctx.status = 200;
      return Promise.resolve();
    });
    return [ctx.status, headers['Retry-After']];
  }
  return { ask, records, counted: () => counted };
}

const SERVED = [200, undefined];
const REJECTED = [503, '5'];

describe('a process whose event loop is behind', () => {
  it('rejects requests after half a second, until it has caught up', async () => {
    const { ask, records, counted } = setUp();
    assert.deepEqual(await ask(), SERVED);
    // Within one event loop iteration, so that no timer runs meanwhile.
    beBusy(600);
    assert.deepEqual(await Promise.all([ask(), ask()]), [REJECTED, REJECTED]);
    await sleep(1);
    assert.deepEqual(await ask(), SERVED);
    beBusy(600);
    assert.deepEqual(await ask(), REJECTED);
    assert.equal(counted(), 3);
    assert.deepEqual(
      records.map(({ event }) => event),
      ['overload_began'],
    );
  });

  it('rejects nothing after it was idle for long', async () => {
    const { ask } = setUp();
    await sleep(700);
    assert.deepEqual(await ask(), SERVED);
  });
});
