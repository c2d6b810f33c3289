import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Masters } from '../../src/redis/client/masters.js';
import { warnOfServers } from '../../src/redis/server-info.js';
import { recordingLog } from '../support/records.js';

describe('the check of the servers at startup', () => {
  it('logs that a server is older than Redis 7.0', async () => {
    const { log, records } = recordingLog();
    const info = () => Promise.resolve('redis_version:6.2.14\r\nmaxmemory_policy:noeviction\r\n');
    const list = () => [{ redis: { info } }];
    await warnOfServers({ list } as unknown as Masters, log);
    assert.deepEqual(
      records.map(({ event, version }) => [event, version]),
      [['redis_too_old', '6.2.14']],
    );
  });
});
