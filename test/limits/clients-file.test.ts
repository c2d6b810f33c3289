import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseClients } from '../../src/limits/clients-file.js';

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];

describe('a file of clients', () => {
  it('has a name, a hash, and optionally one or two limits in each line', () => {
    const text = `\uFEFF# name hash limit\r\n\r\n gateway ${A.toUpperCase()}\t600/60 900/3600\r\nbot-1 ${B}\n\n`;
    assert.deepEqual(
      [...parseClients(text)],
      [
        [
          A,
          {
            name: 'gateway',
            limit: { limit: 600, windowSeconds: 60 },
            fetches: { limit: 900, windowSeconds: 3600 },
          },
        ],
        [B, { name: 'bot-1' }],
      ],
    );
  });

  it('may have comments alone, so that the last client can be removed', () => {
    assert.equal(parseClients('# none\n').size, 0);
  });

  const DAMAGED: [what: string, text: string, message: RegExp][] = [
    ['only empty lines', ' \n\n', /^it is empty or cannot be read$/],
    ['a line without a hash', `app ${A}\ns3cret\n`, /^line 2 has no SHA-256 in 64 hex digits$/],
    ['a key in place of its hash', 's3cret-name s3cret', /^line 1 has no SHA-256/],
    ['a hash that is too short', `app ${A.slice(1)}`, /^line 1 has no SHA-256/],
    ['a name with other characters', `ä ${A}`, /^line 1 has no name/],
    ['a name of 41 characters', `${'n'.repeat(41)} ${A}`, /^line 1 has no name/],
    ['lines that end with CR only', `app ${A}\rbot ${B}`, /^line 1 must end with the hash/],
    ['a text in UTF-16', Buffer.from(`app ${A}`, 'utf16le').toString(), /^line 1 has no name/],
    ['a comment after the hash', `app ${A} # mine`, /^line 1 must end with the hash/],
    [
      '10,000 clients',
      Array.from({ length: 10_000 }, (_, n) => `n${n} ${n.toString(16).padStart(64, '0')}`).join(
        '\n',
      ),
      /^it has more than 1000 clients$/,
    ],
    ['10 MB', '# x\n'.repeat(2_500_000), /^it is larger than 1 MB$/],
    ['a name twice', `app ${A}\napp ${B}`, /^line 2 repeats a name or a hash$/],
    ['a hash twice', `app ${A}\nb ${A.toUpperCase()}`, /^line 2 repeats/],
    ...[
      '600',
      '0/60',
      '600/0',
      '-1/60',
      '6e2/60',
      '1000001/60',
      '1/99999999',
      '1/60 more',
      '1/60 1/60 1/60',
    ].map((limit): [string, string, RegExp] => [
      `the limit ${limit}`,
      `app ${A} ${limit}`,
      /^line 1 must end with the hash, or with one or two limits such as 600\/60$/,
    ]),
  ];
  for (const [what, text, message] of DAMAGED) {
    it(`is rejected with ${what}, and the message has no part of the line`, () => {
      assert.throws(
        () => parseClients(text),
        (error: Error) => {
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /s3cret|aaaa/);
          return true;
        },
      );
    });
  }
});
