import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loggable } from '../../../src/http/middleware/access-log.js';

describe('input in a log record', () => {
  it('is short', () => {
    assert.equal(loggable('x'.repeat(120)), 'x'.repeat(120));
    assert.equal(loggable('x'.repeat(10_000)), `${'x'.repeat(120)}…`);
  });

  it('contains nothing that ends a line, controls a terminal or is invisible', () => {
    for (let code = 0; code < 0x11_0000; code += 1) {
      const character = String.fromCodePoint(code);
      const isHarmful = /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]$/u.test(character);
      if (isHarmful) assert.equal(loggable(`a${character}b`), 'a\ufffdb', code.toString(16));
    }
    // The cut may fall into the middle of a pair.
    assert.equal(loggable(`${'x'.repeat(119)}😀`), `${'x'.repeat(119)}\ufffd…`);
  });

  it('keeps letters of every script', () => {
    for (const name of ['São Paulo', '東京', 'Россия', 'กรุงเทพ', '𠀋', "L'Aquila", 'a"b\\<']) {
      assert.equal(loggable(name), name);
    }
  });

  it('is left out if it is not a string', () => {
    for (const value of [undefined, null, 5, ['a'], { a: 'b' }])
      assert.equal(loggable(value), null);
  });
});
