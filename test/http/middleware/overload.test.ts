import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import type { AppContext } from '../../../src/http/context.js';
import { overload } from '../../../src/http/middleware/overload.js';
import { noInstruments } from '../../../src/process/instruments.js';
import { recordingLog } from '../../support/records.js';

/** So long each request keeps this process busy: a hundred of them need more than a second. */
const WORK_MS = 20;

function work(): Promise<void> {
  const until = performance.now() + WORK_MS;
  while (performance.now() < until);
  return Promise.resolve();
}

function setUp() {
  const { log, records } = recordingLog();
  const admit = overload({ log, instruments: noInstruments, isDirect: false });
  const socket = Object.assign(new EventEmitter(), { bytesWritten: 1 });
  const refusals: unknown[] = [];
  async function ask(): Promise<void> {
    const headers: Record<string, string> = {};
    const res = { setHeader: (name: string, value: string) => void (headers[name] = value) };
    const ctx = { req: { socket }, res, state: {}, status: 404 };
    await admit(ctx as unknown as AppContext, work);
    if (ctx.status !== 404) refusals.push([ctx.status, headers['Retry-After']]);
  }
  return { records, refusals, ask };
}

describe('a process with more requests than it can do', () => {
  it('answers all of a crowd that came at once', async () => {
    const { records, refusals, ask } = setUp();
    await Promise.all(Array.from({ length: 100 }, ask));
    assert.deepEqual([records, refusals], [[], []]);
  });

  it('refuses what comes while others have waited for a second, and says so once', async () => {
    const { records, refusals, ask } = setUp();
    const crowd = Array.from({ length: 100 }, ask);
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
});
