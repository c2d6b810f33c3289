import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFileSync } from 'node:fs';
import gazetteerFile from '../../tools/gazetteer/main.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

describe('the gazetteer', () => {
  it('is built again with the same bytes', () => {
    assert.ok(gazetteerFile(() => undefined).equals(readFileSync(builtGazetteer())));
  });
});
