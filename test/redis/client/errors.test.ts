import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Logger } from '../../../src/process/log.js';
import {
  connectionFaultOf,
  createErrorReports,
  missingRule,
} from '../../../src/redis/client/errors.js';

function reply(message: string): Error {
  return Object.assign(new Error(message), { name: 'ReplyError' });
}

/** As Redis 7.0 and 7.2 say it, outside of scripts and in them. */
const REFUSED: [message: string, name: string, rule: string][] = [
  [
    "NOPERM this user has no permissions to run the 'publish' command",
    'weather:a3:{x}',
    '+publish',
  ],
  ["NOPERM User app has no permissions to run the 'config|get' command", 'k', '+config|get'],
  [
    'NOPERM this user has no permissions to access one of the keys used as arguments',
    'weather:session3:{11111111}',
    '~weather:session3:*',
  ],
  ['NOPERM No permissions to access a key', '{weather:queue4}:fetches:wait', '~{weather:queue4}*'],
  ['NOPERM No permissions to access a channel', 'weather:fetched4:0', '&weather:*'],
  [
    "ERR The user executing the script can't publish to the channel mentioned in the command",
    '{mine:queue3}',
    '&mine:*',
  ],
  [
    "ERR The user executing the script can't run this command or subcommand",
    'weather:entry3:{x}',
    '+@all -@admin -@dangerous',
  ],
  [
    'ERR ACL failure in script: No permissions to access a channel script: 8a, on @user_script:1.',
    '{ours:queue3}',
    '&ours:*',
  ],
  [
    "ERR ACL failure in script: User app has no permissions to run the 'hset' command script: 8a, on @user_script:1.",
    'weather:entry3:{x}',
    '+hset',
  ],
];

describe('the rule of the access list that is missing', () => {
  for (const [message, name, rule] of REFUSED) {
    it(`is ${rule} for: ${message}`, () => {
      assert.equal(missingRule(reply(message), name), rule);
    });
  }

  it('is none for any other error', () => {
    assert.equal(missingRule(reply('ERR no such thing'), 'k'), undefined);
    assert.equal(missingRule(new Error('NOPERM said somebody else'), 'k'), undefined);
  });
});

describe('why no connection can be made', () => {
  for (const [error, fault] of [
    [new Error('WRONGPASS invalid username-password pair'), 'wrong_password'],
    [new Error('self-signed certificate in certificate chain'), 'wrong_certificate'],
    [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'no_connection'],
    [
      Object.assign(new Error('Failed to refresh slots cache.'), {
        lastNodeError: new Error('NOAUTH Authentication required.'),
      }),
      'wrong_password',
    ],
  ] as const) {
    it(`is ${fault} after: ${error.message}`, () => {
      assert.equal(connectionFaultOf(error).reason, fault);
    });
  }

  it('has the code that a sentinel’s message names', () => {
    const error = new Error('All sentinels are unreachable. Last error: connect ETIMEDOUT');
    assert.deepEqual(connectionFaultOf(error), { reason: 'no_connection', detail: 'ETIMEDOUT' });
  });
});

describe('errors that Redis answers', () => {
  function setUp() {
    const records: Record<string, unknown>[] = [];
    const log = { error: (record: Record<string, unknown>) => records.push(record) };
    return { records, errors: createErrorReports(log as unknown as Logger) };
  }

  it('are told once a rule that is missing, however often it is refused', () => {
    const { records, errors } = setUp();
    assert.equal(errors.missing(), undefined);
    for (let round = 0; round < 50; round += 1) {
      for (const [message, name] of REFUSED) errors.report(reply(message), name);
    }
    assert.deepEqual(
      records.map(({ event, rule }) => [event, rule]),
      REFUSED.map(([, , rule]) => ['redis_permission_missing', rule]),
    );
    assert.equal(errors.missing(), REFUSED.at(-1)?.[2]);
  });

  it('are told once in a while where nobody foresaw them', () => {
    const { records, errors } = setUp();
    for (let n = 0; n < 500; n += 1) errors.report(reply(`ERR of kind ${n}`), 'k');
    assert.deepEqual(
      records.map(({ event }) => event),
      ['redis_error'],
    );
  });

  it('are not told where garbage or a moving key is the cause', () => {
    const { records, errors } = setUp();
    errors.report(reply('WRONGTYPE Operation against a key'), 'k');
    errors.report(reply('TRYAGAIN Multiple keys request'), 'k');
    errors.report(new Error('Connection is closed.'), 'k');
    assert.deepEqual(records, []);
  });
});
