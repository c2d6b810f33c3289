import { describe, it } from 'node:test';
import { assertUsesNewMaster } from '../faults/sentinel-failover.js';

describe('a master behind three sentinels', () => {
  it('that hangs is replaced, and the service uses the new one', async (t) => {
    await assertUsesNewMaster(t, 'SIGSTOP');
  });
});
