import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultOf, isForbidden } from '../../../src/redis/client/redis-errors.js';

describe('the reason of a fault', () => {
  for (const [message, reason, shown = message] of [
    ['READONLY You cannot write against a read only replica.', 'read_only'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'out_of_memory'],
    ['LOADING Redis is loading the dataset in memory', 'loading'],
    ['NOAUTH Authentication required.', 'authentication'],
    ['WRONGPASS invalid username-password pair', 'authentication'],
    ['CROSSSLOT Keys in request do not hash to the same slot', 'refused'],
    ['ERR DB index is out of range', 'refused'],
    ['self-signed certificate in certificate chain', 'no_connection'],
    ['Socket timeout. Expecting data, but did not receive any in 2000ms.', 'no_reply'],
    [
      'All sentinels are unreachable. Last error: connect EFAULT',
      'no_connection',
      'connect EFAULT',
    ],
  ] as const) {
    it(`is ${reason} after: ${message}`, () => {
      assert.deepEqual(faultOf(new Error(message)), { reason, message: shown });
      const lastNodeError = new Error(message);
      const ofCluster = Object.assign(new Error('Failed to refresh slots cache.'), {
        lastNodeError,
      });
      assert.deepEqual(faultOf(ofCluster), { reason, message: shown });
    });
  }
});

describe('an error reply about a missing permission', () => {
  // Messages of Redis 7.0 and 7.2, outside and inside scripts.
  for (const [message, concernsChannel] of [
    ["NOPERM this user has no permissions to run the 'publish' command", false],
    ['NOPERM this user has no permissions to access one of the keys used as arguments', false],
    ['NOPERM No permissions to access a channel', true],
    [
      "ERR The user executing the script can't publish to the channel mentioned in the command",
      true,
    ],
    ["ERR The user executing the script can't run this command or subcommand", false],
    [
      'ERR ACL failure in script: No permissions to access a channel script: 8a, on @user_script:1.',
      true,
    ],
  ] as const) {
    const effect = concernsChannel ? 'leaves the process ready' : 'makes the process unready';
    it(`${effect}: ${message}`, () => {
      assert.equal(isForbidden(new Error(message)), !concernsChannel);
    });
  }

  it('differs from any other error reply', () => {
    for (const message of ['ERR no such channel', 'WRONGPASS invalid', 'READONLY no']) {
      assert.equal(isForbidden(new Error(message)), false);
    }
  });
});
