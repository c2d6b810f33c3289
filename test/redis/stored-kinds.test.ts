import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createNames } from '../../src/redis/names.js';
import { POINT_KINDS } from '../../src/weather/kinds/kinds.js';
import { kinds } from '../support/kinds.js';

const FOLDER = join(import.meta.dirname, '../weather');
const tests = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));

describe('each kind', () => {
  it('has a sample of what is stored for it', () => {
    const sampled = tests
      .filter((text) => text.includes('storedKindContract('))
      .flatMap((text) => [...text.matchAll(/key: '([^:]+):/g)].map(([, name = '']) => name));
    const message = 'Call storedKindContract in test/weather/ for each kind';
    assert.deepEqual(sampled.sort(), [...kinds.keys()].sort(), message);
  });

  it('raises the version of the queue, because workers of the last release drop its jobs', () => {
    const { queue } = createNames('', 0);
    const others = kinds.size - POINT_KINDS.length;
    assert.deepEqual([queue, others], [`{:queue${5 + POINT_KINDS.length}}`, 1]);
  });
});
