import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseBounded } from '../../src/base/bounded-json.js';

const MAX_PARTS = 12_000;
const members = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"m${index}":0`).join()}}`;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const items = (count: number) => `[${Array.from({ length: count }, () => 0).join()}]`;

describe('JSON of an untrusted service or client', () => {
  it('is parsed within the bounds', () => {
    for (const text of [members(100), `[${members(100)}]`, nested(20), items(12_000), '"x"', '0']) {
      assert.deepEqual(parseBounded(text, MAX_PARTS), JSON.parse(text));
    }
  });

  it('may have any number of commas and brackets inside of texts', () => {
    for (const inside of [',', '[', '{', '\\",', ',\\\\', '\\u0022[']) {
      const text = JSON.stringify({ note: inside.repeat(12_001), [inside]: [inside, '\\'] });
      assert.deepEqual(parseBounded(text, 4), JSON.parse(text));
      assert.throws(() => parseBounded(text, 2), { message: /more than 2 commas/ });
    }
  });

  const TOO_MUCH: [what: string, text: string, message: RegExp][] = [
    ['more than 12,000 parts', items(12_001), /more than 12000 commas/],
    ['an object with more than 100 members', `[${members(101)}]`, /more than 100 members/],
    ['a depth of more than 20', nested(21), /more than 20 levels/],
    ['a depth of 100,000', nested(100_000), /more than 12000 commas/],
    ['a syntax error', '{', /JSON/],
  ];
  for (const [what, text, message] of TOO_MUCH) {
    it(`is rejected with ${what}`, () => {
      assert.throws(() => parseBounded(text, MAX_PARTS), { message });
    });
  }
});
