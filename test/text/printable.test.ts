import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { printable } from '../../src/text/printable.js';

describe('printable text', () => {
  it('contains nothing that ends a line, controls a terminal, or is invisible', () => {
    for (let code = 0; code < 0x11_0000; code += 1) {
      const character = String.fromCodePoint(code);
      const isHarmful = /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]$/u.test(character);
      if (isHarmful) assert.equal(printable(`a${character}b`, 9), 'a\ufffdb', code.toString(16));
    }
  });

  // Two controls of C1, marks and isolates of direction, Hangul fillers, a joiner, a variation selector, a tag, and
  // an annotation.
  for (const code of [
    ...[0x07, 0x0d, 0x7f, 0x85, 0x90, 0x061c, 0x200e, 0x2029, 0x202a, 0x2067, 0x115f, 0x3164],
    ...[0x034f, 0xfe0f, 0xe0041, 0xfff9, 0xfeff, 0xd800, 0x180e],
  ]) {
    it(`has a replacement for U+${code.toString(16).toUpperCase()}`, () => {
      const character = String.fromCodePoint(code);
      assert.equal(printable(`${character}${character}x`, 9), '\ufffd\ufffdx');
    });
  }

  it('keeps letters of every script', () => {
    for (const name of ['São Paulo', '東京', 'Россия', 'กรุงเทพ', '𠀋', "L'Aquila", 'a"b\\<']) {
      assert.equal(printable(name, 99), name);
    }
  });

  it('is cut at its maximum length', () => {
    assert.equal(printable('x'.repeat(9), 9), 'x'.repeat(9));
    assert.equal(printable('x'.repeat(10), 9), `${'x'.repeat(9)}…`);
    // The cut may fall into the middle of a pair.
    assert.equal(printable(`${'x'.repeat(8)}😀`, 9), `${'x'.repeat(8)}\ufffd…`);
  });
});
