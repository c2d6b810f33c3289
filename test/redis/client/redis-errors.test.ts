import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultOf, isForbidden } from '../../../src/redis/client/redis-errors.js';

describe('the reason of an error reply', () => {
  for (const [message, reason] of [
    ['READONLY You cannot write against a read only replica.', 'read_only'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'out_of_memory'],
    ['LOADING Redis is loading the dataset in memory', 'loading'],
    ['NOAUTH Authentication required.', 'authentication'],
    ['WRONGPASS invalid username-password pair', 'authentication'],
    ['CROSSSLOT Keys in request do not hash to the same slot', 'refused'],
  ] as const) {
    it(`is ${reason} for: ${message}`, () => {
      assert.deepEqual(faultOf(new Error(message)), { reason, message });
    });
  }
});

describe('the reason of a failed connection', () => {
  for (const [error, fault] of [
    [
      new Error('WRONGPASS invalid username-password pair'),
      { reason: 'authentication', message: 'WRONGPASS invalid username-password pair' },
    ],
    [
      new Error('self-signed certificate in certificate chain'),
      { reason: 'no_connection', message: 'self-signed certificate in certificate chain' },
    ],
    [
      new Error('Socket timeout. Expecting data, but did not receive any in 2000ms.'),
      {
        reason: 'no_reply',
        message: 'Socket timeout. Expecting data, but did not receive any in 2000ms.',
      },
    ],
    [
      Object.assign(new Error('Failed to refresh slots cache.'), {
        lastNodeError: new Error('NOAUTH Authentication required.'),
      }),
      { reason: 'authentication', message: 'NOAUTH Authentication required.' },
    ],
    [
      new Error('All sentinels are unreachable. Last error: connect ETIMEDOUT'),
      { reason: 'no_connection', message: 'connect ETIMEDOUT' },
    ],
    [
      Object.assign(new Error('ERR DB index is out of range'), { name: 'ReplyError' }),
      { reason: 'refused', message: 'ERR DB index is out of range' },
    ],
  ] as const) {
    it(`is ${fault.reason} after: ${error.message}`, () => {
      assert.deepEqual(faultOf(error), fault);
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
