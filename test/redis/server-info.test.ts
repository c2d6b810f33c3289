import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GuardedRedis } from '../../src/redis/client/guarded-redis.js';
import { warnOfServers } from '../../src/redis/index.js';
import { recordingLog } from '../support/records.js';

describe('the check of the servers at startup', () => {
  /** @param info what a server replies to INFO */
  async function check(info: () => Promise<string>) {
    const { log, records } = recordingLog();
    const reported: unknown[] = [];
    const redis = {
      masters: { list: () => [{ redis: { info } }] },
      report: (error: unknown) => void reported.push(error),
    } as unknown as GuardedRedis;
    await warnOfServers(redis, log);
    return { records, reported };
  }

  it('logs that a server is older than Redis 7.0', async () => {
    const reply = 'redis_version:6.2.14\r\nmaxmemory_policy:noeviction\r\n';
    const { records } = await check(() => Promise.resolve(reply));
    assert.deepEqual(
      records.map(({ event, version }) => [event, version]),
      [['redis_version_unsupported', '6.2.14']],
    );
  });

  it('reports an error, except that Redis forbids INFO', async () => {
    const forbidden = new Error("NOPERM this user has no permissions to run the 'info' command");
    const fault = new TypeError('a fault of code');
    assert.deepEqual((await check(() => Promise.reject(forbidden))).reported, []);
    assert.deepEqual((await check(() => Promise.reject(fault))).reported, [fault]);
  });
});
