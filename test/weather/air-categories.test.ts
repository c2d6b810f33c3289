import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import texts from '../../src/weather/air-categories.json' with { type: 'json' };
import { categoryIn } from '../../src/weather/air-categories.js';
import { LANGUAGES } from '../../src/weather/conditions/condition-texts.js';

describe('the category of the air', () => {
  it('changes after the end of each band', () => {
    const bands = [0, 20, 21, 40, 41, 60, 61, 80, 81, 100, 101, 999].map((index) =>
      categoryIn('en', index),
    );
    const [good, fair, moderate, poor, veryPoor, extremelyPoor] = texts.en;
    const expected = [good, good, fair, fair, moderate, moderate, poor, poor, veryPoor, veryPoor];
    assert.deepEqual(bands, [...expected, extremelyPoor, extremelyPoor]);
    assert.equal(categoryIn('en', null), null);
  });

  it('has six different words in each language of the conditions, and in no other', () => {
    assert.deepEqual(Object.keys(texts).sort(), LANGUAGES);
    for (const [language, words] of Object.entries(texts)) {
      assert.equal(new Set(words).size, 6, language);
      assert.equal(words.length, 6, language);
    }
    assert.equal(categoryIn('de', 30), 'Akzeptabel');
  });
});
