import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { printable } from '../../src/text/printable.js';

describe('printable text', () => {
  it('contains nothing that ends a line, controls a terminal, or is invisible', () => {
    for (let code = 0; code < 0x11_0000; code += 1) {
      const character = String.fromCodePoint(code);
      const isHarmful = /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]$/u.test(character);
      if (!isHarmful) continue;
      const text = printable(`a${character}${character}b`, 9);
      assert.equal(text, 'a\ufffd\ufffdb', code.toString(16));
    }
  });

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
