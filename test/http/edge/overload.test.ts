import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOverload } from '../../../src/http/edge/overload.js';
import { noInstruments } from '../../../src/base/instruments.js';
import { headerOf } from '../../../src/http/answer.js';
import { recordingLog } from '../../support/records.js';

describe('the overload protection', () => {
  it('rejects requests, counts them, and logs the start and the end of the overload', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { log, records } = recordingLog();
    let counted = 0;
    const overloadShed = () => {
      counted += 1;
    };
    const shed = createOverload({ log, instruments: { ...noInstruments, overloadShed } });
    for (let time = 0; time < 2; time += 1) {
      const answer = shed();
      assert.deepEqual([answer.status, headerOf(answer, 'Retry-After')], [503, '5']);
    }
    assert.equal(counted, 2);
    const logged = () => records.map(({ event, refused }) => [event, refused]);
    t.mock.timers.tick(9_999);
    assert.deepEqual(logged(), [['overload_began', undefined]]);
    t.mock.timers.tick(1);
    assert.deepEqual(logged().slice(1), [['overload_ended', 2]]);
    shed();
    t.mock.timers.tick(10_000);
    assert.deepEqual(logged().slice(3), [['overload_ended', 1]]);
  });
});
