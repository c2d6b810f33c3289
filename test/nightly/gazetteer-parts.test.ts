import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { encodeGazetteer } from '../../tools/gazetteer/encode.js';
import { assemble } from '../../tools/gazetteer/assemble.js';
import { buildPart } from '../../tools/gazetteer/build.js';
import { readCountryNames } from '../../tools/gazetteer/country-names.js';
import { readRegions } from '../../tools/gazetteer/regions.js';
import { ROOT } from '../deploy/compose-file.js';

describe('the gazetteer', () => {
  it('has the same bytes if one thread builds it as a single part', () => {
    const regions = readRegions();
    const all = buildPart({ first: 'AA', end: 'ZZ' }, () => undefined);
    const bytes = encodeGazetteer(assemble([all], readCountryNames(regions), regions));
    // The bytes in the message of a failed assertion would take minutes.
    assert.ok(bytes.equals(readFileSync(join(ROOT, 'dist/places/gazetteer.bin'))));
  });
});
