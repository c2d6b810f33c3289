import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../support/properties.js';
import { fold, foldedWords, PLAIN, shortWord } from '../../src/places/names/fold.js';

/** Names, each in several spellings. */
const SAME = [
  ['İstanbul', 'ISTANBUL', 'istanbul', 'ıstanbul', 'I\u0307stanbul'],
  ['São Paulo', 'Sao Paulo', 'SÃO PAULO', 'Sa\u0303o Paulo', 'são  paulo'],
  ['St. Louis', 'Saint Louis', 'St Louis', 'Saint-Louis', 'SAINT LOUIS', 'St.Louis'],
  ['Sainte-Foy', 'Ste. Foy', 'Ste Foy'],
  ["N'Djamena", 'N’Djamena', 'NDjamena', 'N`Djamena'],
  ["Fort's Ferry", 'Fort’s Ferry', 'Fort`s Ferry'],
  ['Sana‘a', 'Sanaʻa', 'Sanaʼa', "Sana'a"],
  ['Washington, D.C.', 'Washington D.C.', 'Washington DC'],
  ['Straße', 'STRASSE', 'strasse'],
  ['Łódź', 'Lodz'],
  ['København', 'Kobenhavn'],
  ['Đà Nẵng', 'Da Nang'],
  ['Þórshöfn', 'Thorshofn'],
  ['Москва', 'МОСКВА'],
  ['Орёл', 'Орел'],
  ['Αθήνα', 'ΑΘΗΝΑ', 'Αθηνα'],
  ['Άργος', 'ΑΡΓΟΣ'],
  ['الخرطوم', 'خرطوم'],
  ['إسلام آباد', 'اسلام اباد'],
  ['کراچی', 'كراچي'],
  ['מוֹדִיעִין', 'מודיעין'],
  ['とうきょう', 'トウキョウ'],
  [
    '鎌ケ谷',
    '鎌ヶ谷',
    '鎌が谷',
    '鎌ガ谷',
    '鎌ヶ谷'.normalize('NFD'),
    '鎌が谷'.normalize('NFD'),
    '鎌ｹ谷',
    '鎌ｶﾞ谷',
  ],
  ['六ヶ所', '六カ所', '六ヵ所', '六ケ所', '六ｶ所'],
  ['四ツ谷', '四ッ谷', '四っ谷', '四つ谷', '四ｯ谷'],
  // A beginning of such a name.
  ['鎌ケ', '鎌ヶ', '鎌が'],
  ['臺南', '台南'],
  ['長﨑', '長崎'],
  ['髙山', '高山'],
  ['서울', '서울'.normalize('NFD')],
  ['फ़िरोज़ाबाद', 'फिरोजाबाद'],
  ['Nur-Sultan', 'Nur Sultan', 'Nursultan', 'Nur\u2010Sultan', 'Nur–Sultan'],
];

const DIFFERENT = [
  ['मुंबई', 'मबई'],
  ['がか', 'かが'],
  ['が', 'か'],
  ['けがに', 'げかに'],
  ['東かがわ', '東ががわ'],
  ['日ケーブル', '日がーぶる'],
  ['三げ谷', '三が谷'],
  ['三谷', '三ツ谷'],
  ['明け野', '明が野'],
  ['天竜', '天龍'],
  ['一之宮', '一の宮'],
  ['กา', 'กี'],
  ['Paris', 'Pars'],
  ['Saintes', 'Sts'],
];

describe('folding names', () => {
  for (const [name = '', ...spellings] of SAME) {
    it(`gives all spellings of ${name} one form`, () => {
      for (const spelling of spellings) assert.equal(fold(spelling), fold(name), spelling);
    });
  }

  for (const [one = '', other = ''] of DIFFERENT) {
    it(`distinguishes ${one} and ${other}`, () => {
      assert.notEqual(fold(one), fold(other));
    });
  }

  it('does not depend on the Unicode normal form', () => {
    for (const name of ['a\u0374b', 'a\u1fefb', 'a\u1ffdb']) assert.equal(fold(name), 'ab');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const folded = fold(name);
        assert.equal(fold(name.normalize('NFC')), folded);
        assert.equal(fold(name.normalize('NFD')), folded);
      }),
    );
  });

  it('has a fast path with the same result', () => {
    let plain = 0;
    for (let code = 0; code < 0x10000; code += 1) {
      const letter = String.fromCharCode(code);
      if (!PLAIN.test(letter)) continue;
      plain += 1;
      assert.deepEqual(foldedWords(letter).map(shortWord), [letter]);
    }
    assert.ok(plain > 20_000);
  });
});
