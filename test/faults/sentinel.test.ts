import { describe, it } from 'node:test';
import { assertFollowsTheSentinels } from './sentinel-failover.js';

describe('a master behind three sentinels', () => {
  it('master killed: the service follows to the new one', async (t) => {
    await assertFollowsTheSentinels(t, 'SIGKILL');
  });
});
