import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noInstruments } from '../../../src/process/instruments.js';
import { createStateRecord, type Fault } from '../../../src/redis/client/state-record.js';
import { manualClock } from '../../support/manual-clock.js';
import { recordingLog } from '../../support/records.js';

function setUp() {
  const { log, records } = recordingLog();
  const clock = manualClock();
  const faults: (Fault | undefined)[] = [];
  const instruments = {
    ...noInstruments,
    redisDegraded: (fault: Fault | undefined) => void faults.push(fault),
  };
  const state = createStateRecord(log, instruments, () => clock.monotonic());
  return {
    state,
    faults,
    told: () => records.map(({ event, reason }) => [event, reason].join(' ')),
    /** Says a reason every 100 ms for so long. */
    stands: (reason: string, ms: number) => {
      for (let passed = 0; passed <= ms; passed += 100) {
        state.degrade({ reason });
        clock.advance(100);
      }
    },
  };
}

describe('the record of the state of Redis', () => {
  it('tells each change once', () => {
    const { state, told, stands, faults } = setUp();
    state.recover();
    state.recover();
    assert.deepEqual([told(), faults], [[], [undefined]]);
    stands('no_answer', 1000);
    state.recover();
    state.recover();
    assert.deepEqual(told(), ['redis_degraded no_answer', 'redis_recovered no_answer']);
    assert.equal(faults.length, 3);
  });

  it('tells another reason once that one has stood for a while', () => {
    const { state, told, stands, faults } = setUp();
    stands('no_connection', 5000);
    stands('wrong_password', 2000);
    assert.deepEqual(told(), ['redis_degraded no_connection']);
    stands('wrong_password', 2000);
    stands('wrong_password', 5000);
    assert.deepEqual(told().slice(1), ['redis_reason_changed wrong_password']);
    assert.deepEqual(faults.at(-1), { reason: 'wrong_password', detail: undefined });
    state.recover();
    assert.equal(told().at(-1), 'redis_recovered wrong_password');
  });

  it('is silent about reasons that take turns', () => {
    const { told, stands } = setUp();
    for (let turn = 0; turn < 20; turn += 1) {
      stands('no_answer', 1000);
      stands('slow', 1000);
    }
    assert.deepEqual(told(), ['redis_degraded no_answer']);
  });
});
