import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AppContext } from '../../../src/http/context.js';
import { shedOverload } from '../../../src/http/middleware/overload.js';
import { noInstruments } from '../../../src/base/instruments.js';
import { recordingLog } from '../../support/records.js';

describe('the overload protection', () => {
  it('rejects late requests, counts them, and logs the start and the end of the overload', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { log, records } = recordingLog();
    let isLate = false;
    let counted = 0;
    const overloadShed = () => {
      counted += 1;
    };
    const instruments = { ...noInstruments, overloadShed };
    const admit = shedOverload({ log, instruments });
    async function ask() {
      const headers: Record<string, string> = {};
      const res = { setHeader: (name: string, value: string) => void (headers[name] = value) };
      const ctx = { res, req: { isLate }, state: {}, status: 404 };
      await admit(ctx as unknown as AppContext, () => {
        ctx.status = 200;
        return Promise.resolve();
      });
      return [ctx.status, headers['Retry-After']];
    }

    assert.deepEqual(await ask(), [200, undefined]);
    isLate = true;
    assert.deepEqual(await ask(), [503, '5']);
    assert.deepEqual(await ask(), [503, '5']);
    isLate = false;
    assert.deepEqual(await ask(), [200, undefined]);
    assert.equal(counted, 2);
    const logged = () => records.map(({ event, refused }) => [event, refused]);
    t.mock.timers.tick(9_999);
    assert.deepEqual(logged(), [['overload_began', undefined]]);
    t.mock.timers.tick(1);
    assert.deepEqual(logged().slice(1), [['overload_ended', 2]]);
  });
});
