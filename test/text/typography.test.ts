import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainText, visibleText } from '../../src/text/typography.js';

/** Characters, and the ordinary character that stands for each of them. */
const STAND_INS: [ordinary: string, typed: string][] = [
  ["'", '`´ʹʻʼ‘’‛＇｀՚׳״\u0374\u1fef\u1ffd'],
  ['-', '‐‑‒–—―−－֊־'],
  [',', '、，､،'],
  ['.', '．॰'],
  [' ', '・･··\u0387་༌།۽\u00a0\u1680\u2000\u2009\u200a\u202f\u205f\u3000'],
  ['(', '（'],
  [')', '）'],
];
const INVISIBLE = '\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff';

describe('plain typography', () => {
  for (const [ordinary, typed] of STAND_INS) {
    it(`has '${ordinary}' instead of characters that look alike`, () => {
      for (const character of typed) {
        const code = `U+${character.codePointAt(0)?.toString(16)}`;
        assert.equal(plainText(`a${character}b`), `a${ordinary}b`, code);
      }
    });
  }

  it('has no invisible characters', () => {
    for (const character of INVISIBLE) assert.equal(plainText(`a${character}b`), 'ab');
  });

  it('has letters of ordinary width, composed', () => {
    assert.equal(plainText('Ａ－Ｚ　ａ－ｚ'), 'A-Z a-z');
    assert.equal(plainText('ﾆｭｰﾖｰｸ･ｼﾃｨ ﾊﾟﾘ'), 'ニューヨーク シティ パリ');
    assert.equal(plainText('\uffb5\uffc6'), '서');
    assert.equal(plainText('ｅ\u0301'), 'é');
  });

  it('keeps all other characters: letters of other scripts, compatibility letters, signs', () => {
    const others = 'éßşЖωמעहक्ष東ヶノ…‥©€“”ﬁⅣ①\u202e';
    assert.equal(plainText(others), others);
  });

  it('has one space for a run of spaces, at its ends too', () => {
    assert.equal(plainText('\u3000San \u00a0 José・ '), ' San José ');
  });
});

describe('the visible text', () => {
  it('has no invisible characters and no spaces at its ends, and keeps its typography', () => {
    assert.equal(visibleText('\ufeff ‘s-Hertogen\u00adbosch\u200f '), '‘s-Hertogenbosch');
    assert.equal(visibleText('ﾆｭｰﾖｰｸ・　ｼﾃｨ'), 'ﾆｭｰﾖｰｸ・ ｼﾃｨ');
    assert.equal(visibleText('Linz – Urfahr'), 'Linz – Urfahr');
  });
});
