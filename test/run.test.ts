import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from './support/properties.js';
import { SEED } from './support/seed.js';

it('the properties of fast-check use the seed of the run', () => {
  assert.equal(fc.readConfigureGlobal().seed, SEED);
});
