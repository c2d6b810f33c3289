import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CODES, conditionOf } from '../../src/weather/conditions/conditions.js';
import {
  conditionIn,
  languageOf,
  LANGUAGES,
} from '../../src/weather/conditions/condition-texts.js';

const ENGLISH = new Set([...CODES, null].map(conditionOf));
/** Light, moderate, and heavy: rain, snow, and showers of rain. */
const INTENSITIES = [
  [61, 63, 65],
  [71, 73, 75],
  [80, 81, 82],
];

/** The beginning of the first word that one of three texts has, and the others have not. */
function ownWord(language: string, codes: number[], index: number): string {
  const unspaced = ['zh', 'ja', 'ko'].includes(language);
  const words = codes.map((code) => conditionIn(language, code).split(unspaced ? '' : ' '));
  const own = words[index]!.find((word) => words.filter((all) => all.includes(word)).length === 1);
  return own?.slice(0, 3) ?? 'none';
}

describe('the texts of the conditions', () => {
  it('exist in at least 17 languages besides English', () => {
    for (const code of 'de es fr it nl pl pt ru uk sv nb tr ar hi zh ja ko en'.split(' ')) {
      assert.ok(LANGUAGES.includes(code), code);
    }
  });

  for (const language of LANGUAGES.filter((each) => each !== 'en')) {
    const isLatin = new Intl.Locale(language).maximize().script === 'Latn';

    it(`differ from each other and from English: ${language}`, () => {
      const texts = [...CODES, null].map((code) => conditionIn(language, code));
      assert.equal(new Set(texts).size, CODES.length + 1);
      for (const text of texts) {
        assert.ok(!ENGLISH.has(text), text);
        assert.match(text, /^[\p{L}\p{M}][\p{L}\p{M}\p{Pd}, ]*$/u);
        if (!isLatin) assert.doesNotMatch(text, /\p{Script=Latin}/u);
      }
    });

    it(`have the same word for light, and for moderate, whatever falls: ${language}`, () => {
      for (const index of [0, 1]) {
        const words = INTENSITIES.map((codes) => ownWord(language, codes, index));
        assert.equal(new Set(words).size, 1, words.join(', '));
      }
    });
  }

  it('are English for English, and for an unknown language', () => {
    for (const language of ['en', 'xx', '']) {
      for (const code of CODES) assert.equal(conditionIn(language, code), conditionOf(code));
    }
  });
});

it('the language of a tag is known by its first part, and of a list the known language with the highest weight', () => {
  const cases = [
    ['de', 'de'],
    ['de-AT', 'de'],
    ['PT_br', 'pt'],
    ...['zh-Hant-TW', 'zh-TW', 'zh_HK', 'ZH-mo', 'zh-Hant', 'zh-cmn-Hant'].map(
      (tag) => [tag, 'en'] as const,
    ),
    ...['zh', 'zh-CN', 'zh-SG', 'zh-Hans', 'zh-Hans-HK'].map((tag) => [tag, 'zh'] as const),
    ['zh-TW,ja;q=0.5', 'ja'],
    // As browsers send them.
    ['zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'en'],
    ['zh_HK, zh;q=0.9, ko;q=0.8', 'ko'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['zh-TW,zh;q=0.9,zh-CN;q=0.8', 'zh'],
    ['de;q=0.5,fr', 'fr'],
    ['de;q=0.5 , fr; q=0.4,xx', 'de'],
    ['pl;q=0.3,sv;q=0.30,it;q=0.29', 'pl'],
    ['de;q=0,fr;q=0.1', 'fr'],
    ['de;q=0.0,de-AT,it;q=0.2', 'it'],
    ['de;q=0', 'en'],
    ['de;Q=0.5,es', 'es'],
    ['uk-UA', 'uk'],
    ['ar-EG-u-nu-latn', 'ar'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['eo', 'en'],
    ['eo,pl', 'pl'],
    ['eo, sv-FI;q=0.8, en;q=0.5', 'sv'],
    ['en-IE,fr', 'en'],
    ['it;q=1', 'it'],
    ['de;q=., fr;q=0.1, it;q=0.2', 'it'],
    ['de;q=1.2.3', 'en'],
    [',,ja', 'ja'],
    ['deu', 'en'],
    ['', 'en'],
    ['__proto__', 'en'],
    ['constructor', 'en'],
  ] as const;
  for (const [tag, language] of cases) assert.equal(languageOf(tag), language, tag);
});
