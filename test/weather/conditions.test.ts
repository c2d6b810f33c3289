import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOf, conditionOf } from '../../src/weather/conditions.js';

describe('a weather condition', () => {
  it('has a different text for each of the 28 codes', () => {
    const codes = Array.from({ length: 100 }, (_, code) => code);
    const texts = codes.map(conditionOf).filter((text) => text !== 'Unknown');
    assert.equal(texts.length, 28);
    assert.equal(new Set(texts).size, 28);
  });

  it('has the text of the public documentation', () => {
    assert.equal(conditionOf(0), 'Clear sky');
    assert.equal(conditionOf(48), 'Depositing rime fog');
    assert.equal(conditionOf(99), 'Thunderstorm with heavy hail');
  });

  it('is Unknown for a code that is not known', () => {
    for (const code of [4, 100, -1, 0.5]) assert.equal(conditionOf(code), 'Unknown');
  });

  it('is converted back into its code', () => {
    for (const code of [0, 3, 48, 61, 99]) assert.equal(codeOf(conditionOf(code)), code);
    assert.equal(codeOf('Unknown'), undefined);
  });
});
