import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mistakeIn } from '../../../src/http/input/json-mistake.js';
import { createRandom } from '../../support/random.js';
import { SEED } from '../../support/seed.js';

const PARTS =
  '{ } [ ] : , " "a" "a": \\ \\n \\u00E9 \\x 0 1 - .5 e E+1 1E2 true True null fals ’ é 😀'
    .split(' ')
    .concat(' ', '\n', '\t');

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it('a text has a mistake if JSON.parse rejects it, and no other text with the same beginning is JSON', () => {
  const random = createRandom(SEED);
  for (let round = 0; round < 20_000; round += 1) {
    const parts = Array.from({ length: random.between(1, 8) }, () => random.pick(PARTS));
    const text = `${round % 3 === 0 ? '{"a":' : ''}${parts.join('')}`;
    const mistake = mistakeIn(text);
    assert.equal(mistake === undefined, isJson(text), text);
    if (mistake === undefined) continue;
    assert.ok(mistake.position <= text.length, text);
    // What comes before the mistake only ends too early.
    const before = mistakeIn(text.slice(0, mistake.position));
    assert.equal(before?.position ?? mistake.position, mistake.position, text);
  }
});
