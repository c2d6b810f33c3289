import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  DEBOUNCE_MS,
  HEALTH_MS,
  JOB_LOCK_MS,
  PATIENT_MS,
  POLL_MS,
  RECORDING_MS,
  REPLY_MS,
  RETRY_MS,
  SILENT_CONNECTION_MS,
  STALLED_MS,
} from '../../../src/redis/client/timing.js';

const RELATIONS: [relation: string, less: number, more: number][] = [
  ['a health check ends before the fault is reported', REPLY_MS + HEALTH_MS, DEBOUNCE_MS],
  ['a patient command has several attempts', 3 * RETRY_MS, PATIENT_MS],
  ['a late reply opens the breaker before its connection is reset', REPLY_MS, SILENT_CONNECTION_MS],
  ['a removed job keeps its lock while its fetch runs', POLL_MS, JOB_LOCK_MS],
  ['a job has a lock when BullMQ looks for stalled jobs', STALLED_MS, JOB_LOCK_MS],
  ['requests get a response within 6 s after a process has died', JOB_LOCK_MS + POLL_MS, 6000],
  ['a recording is retried after a transient delay', PATIENT_MS + REPLY_MS, RECORDING_MS],
];

for (const [relation, less, more] of RELATIONS) {
  it(`the times of the Redis adapters have the relation that ${relation}`, () => {
    assert.ok(less < more, `${less} ms must be less than ${more} ms`);
  });
}
