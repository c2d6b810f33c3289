import { describe, it } from 'node:test';
import { assertUsesNewMaster } from '../faults/sentinel-failover.js';

describe('a master behind three sentinels', () => {
  it('master hung: the service follows to the new one', async (t) => {
    await assertUsesNewMaster(t, 'SIGSTOP');
  });
});
