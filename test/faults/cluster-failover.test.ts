import { describe, it } from 'node:test';
import { assertFollowsTheNewMaster } from './cluster-failover.js';

describe('a cluster whose masters have replicas', () => {
  it('master killed and replaced: all is normal, and told so; then it is back', async (t) => {
    await assertFollowsTheNewMaster(t, 'SIGKILL');
  });
});
