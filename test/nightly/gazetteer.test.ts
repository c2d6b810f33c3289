import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFileSync } from 'node:fs';
import gazetteerFile from '../../tools/gazetteer/main.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

describe('the gazetteer', () => {
  it('made anew has the bytes of the file that was built before', () => {
    assert.ok(gazetteerFile(() => undefined).equals(readFileSync(builtGazetteer())));
  });
});
