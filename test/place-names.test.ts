import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { fc } from './support/properties.js';
import { MAX_NAME_LENGTH, cleanName } from '../src/place-names.js';

const accepted = (value: string) => {
  const result = cleanName(value);
  return result.ok ? result.name : result.fault;
};

describe('a name', () => {
  it('is trimmed, composed, and its runs of spaces are one', () => {
    assert.equal(accepted('  Sa\u0303o   Paulo '), 'São Paulo');
    assert.equal(accepted('\u00a0Paris\u3000'), 'Paris');
  });

  it('is blank if nothing is left', () => {
    for (const value of ['', '  ', '\u3000']) assert.equal(accepted(value), 'blank');
  });

  it('has at most 100 code points after that', () => {
    for (const character of ['a', 'é', 'e\u0301', '𠀋', '\u1112\u1161\u11ab']) {
      const composed = character.normalize('NFC');
      assert.equal(accepted(` ${character.repeat(MAX_NAME_LENGTH)} `), composed.repeat(100));
      assert.equal(accepted(character.repeat(MAX_NAME_LENGTH + 1)), 'too_long');
    }
  });

  it('may be written in decomposed form', () => {
    // The longest decomposition: four code points for one.
    const apart = '\u1f82'.normalize('NFD');
    assert.equal(apart.length, 4);
    assert.equal(accepted(apart.repeat(MAX_NAME_LENGTH)), '\u1f82'.repeat(MAX_NAME_LENGTH));
    assert.equal(accepted(apart.repeat(MAX_NAME_LENGTH + 1)), 'too_long');
  });

  it('may have any number of spaces around it', () => {
    const spaces = ' '.repeat(5000);
    assert.equal(accepted(`${spaces}New${spaces}York${spaces}`), 'New York');
  });

  it('is not normalized if it is far too long, because that takes quadratic time', () => {
    const normalize = mock.method(String.prototype, 'normalize');
    try {
      assert.equal(accepted(`a${'\u0327\u0301'.repeat(400)}`), 'too_long');
      assert.equal(normalize.mock.callCount(), 0);
      assert.equal(accepted('a'.repeat(8 * MAX_NAME_LENGTH)), 'too_long');
      assert.equal(normalize.mock.callCount(), 1);
    } finally {
      normalize.mock.restore();
    }
  });

  it('has control characters reported first, then its length, then other characters', () => {
    assert.equal(accepted('<'.repeat(101)), 'too_long');
    assert.equal(accepted(`\u0000${'a'.repeat(101)}`), 'invalid_characters');
    assert.equal(accepted('\t'), 'invalid_characters');
  });

  // prettier-ignore
  const ALLOWED = ["L'Aquila", 'L’Aquila', 'Kahaluʻu', 'Washington, D.C.', 'Jean-Luc', 'กรุงเทพ', 'मुंबई', '東京', '゙ア',
    "O'Fallon", "'s-Hertogenbosch", "Val d'Or and Val d'Isère", 'Union', 'Selected From', 'Orford', 'Table Drop',
    'Deleted Fromme', 'Andorra', 'Oro Nullarbor'];
  it('may hold letters, marks, spaces, hyphens, apostrophes, periods, commas, and single words of SQL', () => {
    for (const name of ALLOWED) assert.equal(accepted(name), name.normalize('NFC'), name);
  });

  // prettier-ignore
  const REJECTED = ['\u0085', '\u2028', '\ufeff', '\u200b', '\u202e', '\ud800', '٣', 'Ⅷ', '½', '€', '😀', '“'];
  it('holds no other character', () => {
    for (let code = 0; code < 0x80; code += 1) {
      const character = String.fromCharCode(code);
      const expected = /[a-z ',.-]/i.test(character) ? `a${character}b` : 'invalid_characters';
      assert.equal(accepted(`a${character}b`), expected, `U+${code.toString(16)}`);
    }
    for (const character of REJECTED) {
      assert.equal(accepted(`a${character}b`), 'invalid_characters', character);
    }
  });

  // prettier-ignore
  const PATTERNS = ['a..b', 'a--b', "' or '", "'or'", "x' AND 'y", '’ Or ’', 'union select', 'Union  ALL Select',
    'select a from b', 'INSERT INTO x', 'Delete From x', 'drop table x', 'drop database', 'alter table x',
    'truncate table x', 'update x set y', 'exec xp', 'x or true', 'x or null'];
  it('holds no phrase of SQL, no path traversal, and no quoted OR', () => {
    for (const text of PATTERNS) assert.equal(accepted(text), 'invalid_characters', text);
  });

  it('does not change if it is cleaned again, and then has no blocked character', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })),
        (value) => {
          const first = cleanName(value);
          if (!first.ok) return;
          assert.deepEqual(cleanName(first.name), first);
          assert.equal(first.name.normalize('NFC'), first.name);
          assert.equal(first.name.trim(), first.name);
          assert.ok(Array.from(first.name).length <= MAX_NAME_LENGTH);
          assert.doesNotMatch(first.name, /[<>;&|$\\\p{C}\p{Nd}]| {2}|\.\.|--/u);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
