import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { fc } from '../support/properties.js';
import { MAX_NAME_LENGTH, cleanName } from '../../src/text/place-names.js';

const shown = (value: string) => {
  const result = cleanName(value);
  return result.ok ? result.name.shown : result.fault;
};
const plain = (value: string) => {
  const result = cleanName(value);
  return result.ok ? result.name.plain : result.fault;
};
const found = (value: string) => {
  const result = cleanName(value);
  return !result.ok && result.fault === 'invalid_characters' ? result.found : undefined;
};

describe('a name', () => {
  it('is shown trimmed and composed, and its runs of spaces are one', () => {
    assert.equal(shown('  Sa\u0303o   Paulo '), 'São Paulo');
    assert.equal(shown('\u00a0Paris\u3000'), 'Paris');
    assert.equal(shown('New\u2009\u00a0\u202fYork'), 'New York');
  });

  it('is blank if nothing is left', () => {
    for (const value of ['', '  ', '\u3000', '\u200b', ' \u2060\ufeff ', '・', ' · ']) {
      assert.equal(shown(value), 'blank', JSON.stringify(value));
    }
  });

  it('has at most 100 code points in plain typography', () => {
    for (const character of ['a', 'é', 'e\u0301', '𠀋', '\u1112\u1161\u11ab', 'Ａ']) {
      const composed = character.normalize('NFC');
      assert.equal(shown(` ${character.repeat(MAX_NAME_LENGTH)} `), composed.repeat(100));
      assert.equal(shown(character.repeat(MAX_NAME_LENGTH + 1)), 'too_long');
    }
    // Two code points as typed, one in plain typography.
    assert.equal(plain('ｶﾞ'.repeat(MAX_NAME_LENGTH)), 'ガ'.repeat(MAX_NAME_LENGTH));
    assert.equal(plain('ｶﾞ'.repeat(MAX_NAME_LENGTH + 1)), 'too_long');
    const joined = 'क\u200d'.repeat(MAX_NAME_LENGTH);
    assert.equal(shown(joined), 'क'.repeat(MAX_NAME_LENGTH));
  });

  it('may be written in decomposed form', () => {
    // The longest decomposition: four code points for one.
    const apart = '\u1f82'.normalize('NFD');
    assert.equal(apart.length, 4);
    assert.equal(shown(apart.repeat(MAX_NAME_LENGTH)), '\u1f82'.repeat(MAX_NAME_LENGTH));
    assert.equal(shown(apart.repeat(MAX_NAME_LENGTH + 1)), 'too_long');
  });

  it('may have any number of spaces around it', () => {
    const spaces = ' '.repeat(5000);
    assert.equal(shown(`${spaces}New${spaces}York${spaces}`), 'New York');
  });

  it('is not normalized if it is far too long, because that takes quadratic time', () => {
    const normalize = mock.method(String.prototype, 'normalize');
    try {
      assert.equal(shown(`a${'\u0327\u0301'.repeat(400)}`), 'too_long');
      assert.equal(normalize.mock.callCount(), 0);
      assert.equal(shown('a'.repeat(8 * MAX_NAME_LENGTH)), 'too_long');
      assert.ok(normalize.mock.callCount() > 0);
    } finally {
      normalize.mock.restore();
    }
  });

  it('has control characters reported first, then its length, then other characters', () => {
    assert.equal(shown('<'.repeat(101)), 'too_long');
    assert.equal(shown(`\u0000${'a'.repeat(101)}`), 'invalid_characters');
    for (const value of ['\t', 'Paris\n', 'a\u2028b', 'a\u2029b', 'a\u0085b', '\u007f']) {
      assert.equal(shown(value), 'invalid_characters', JSON.stringify(value));
    }
  });

  // prettier-ignore
  const ALLOWED = ["L'Aquila", 'Washington, D.C.', 'Jean-Luc', 'กรุงเทพ', 'मुंबई', '東京', '゙ア', 'Halle (Saale)', '(',
    "O'Fallon", "'s-Hertogenbosch", "Val d'Or and Val d'Isère", 'Union', 'Selected From', 'Orford', 'Table Drop',
    'Deleted Fromme', 'Andorra', 'Oro Nullarbor'];
  it('may have letters, marks, and the punctuation of names, and single words of SQL', () => {
    for (const name of ALLOWED) {
      assert.deepEqual([shown(name), plain(name)], [name.normalize('NFC'), name.normalize('NFC')]);
    }
  });

  // prettier-ignore
  const REJECTED = ['\u0085', '\u2028', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068',
    '\u2069', '\ufff9', '\ud800', '\udc00', '٣', '５', 'Ⅷ', '½', '€', '😀', '“', '。', '｡', '【', '￥', '￣', '＜', '；', '＄',
    '＆', '｜', '＼', '＞', '／', '\u037e'];
  it('has no other character, not even in full width', () => {
    for (let code = 0; code < 0x80; code += 1) {
      const character = String.fromCharCode(code);
      const expected = /[a-z ',.()`-]/i.test(character) ? `a${character}b` : 'invalid_characters';
      assert.equal(shown(`a${character}b`), expected, `U+${code.toString(16)}`);
    }
    for (const character of REJECTED) {
      assert.equal(shown(`a${character}b`), 'invalid_characters', character);
    }
  });

  // prettier-ignore
  const PATTERNS = ['a..b', 'a--b', "' or '", "'or'", "x' AND 'y", '’ Or ’', 'union select', 'Union  ALL Select',
    'select a from b', 'INSERT INTO x', 'Delete From x', 'drop table x', 'drop database', 'alter table x',
    'truncate table x', 'update x set y', 'exec xp', 'x or true', 'x or null',
    'ｕｎｉｏｎ　ｓｅｌｅｃｔ', 'un\u200bion\u00a0sel\u00adect', '‘ or ’', '´or`', '＇ａｎｄ＇', '．．', 'a–—b', '－−', 'drop・table'];
  it('has no phrase of SQL, no path traversal, and no quoted OR, in any typography', () => {
    for (const text of PATTERNS) assert.equal(shown(text), 'invalid_characters', text);
  });

  it('that is invalid has its first wrong character named, as it was typed', () => {
    for (const [value, expected] of [
      ['Sea<ttle;', "'<' (U+003C)"],
      ['５th', "'５' (U+FF15)"],
      ['a＜b', "'＜' (U+FF1C)"],
      ['Paris\n<', 'U+000A'],
      ['Paris<\n', "'<' (U+003C)"],
      // In a text that is far too long, other characters are not searched.
      [`<${'a'.repeat(900)}\u0001`, 'U+0001'],
      ['a\u202eb', 'U+202E'],
      ['a\ud800b', 'U+D800'],
      ['a\u{e0041}b', 'U+E0041'],
      ['a\u{f0000}b', 'U+F0000'],
      // A family: the joiners are removed, the people are not letters.
      ['a\u200d👩\u200d👧', "'👩' (U+1F469)"],
      ['🇺🇸', "'🇺' (U+1F1FA)"],
      ['x a..b', "'..'"],
      ['a — – b', undefined],
      ['a—–b', "'--'"],
      ['ｕｎｉｏｎ  ALL select x', "'union ALL select'"],
      ['x ’or‘ y', "''or''"],
    ] as const) {
      assert.equal(found(value), expected, value);
    }
  });

  it('does not change if it is cleaned again, and then has no blocked character', () => {
    const typed = fc.stringMatching(
      /^[A-Z‘’`´–—‐−．，、،・·\u3000\u00a0\u200b-\u200f\u00adａ-ｚｦ-ﾟЀ-я]{0,12}$/u,
    );
    // Much cheaper than the unit `binary`, whose table of all characters takes seconds.
    const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit }), fc.string({ unit: 'grapheme' }), typed),
        (value) => {
          const first = cleanName(value);
          if (!first.ok) return;
          const { name } = first;
          assert.deepEqual(cleanName(name.shown), first);
          assert.deepEqual(plain(name.plain), name.plain);
          for (const text of [name.shown, name.plain]) {
            assert.equal(text.normalize('NFC'), text);
            assert.equal(text.trim(), text);
          }
          assert.ok(Array.from(name.plain).length <= MAX_NAME_LENGTH);
          assert.doesNotMatch(name.plain, /[^\p{L}\p{M} '.,()-]| {2}|\.\.|--/u);
        },
      ),
    );
  });
});
