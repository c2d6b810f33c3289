import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../support/properties.js';
import { createFrontCoded } from '../../src/places/front-coded.js';
import { frontCoded } from '../../tools/gazetteer/front-coding.js';

const name = fc
  .array(fc.constantFrom(0x61, 0x62, 0xc3, 0xff), { maxLength: 255 })
  .map((bytes) => String.fromCharCode(...bytes));

describe('front-coded names', () => {
  it('can be read in any order', () => {
    const lists = fc.array(name, { minLength: 1, maxLength: 100, size: 'max' });
    fc.assert(
      fc.property(lists, fc.infiniteStream(fc.nat()), (list, order) => {
        const sorted = [...list].sort();
        const { names, blockStart } = frontCoded(sorted);
        const { bytes, read } = createFrontCoded(names, blockStart);
        for (const n of order.take(100)) {
          const i = n % sorted.length;
          assert.equal(Buffer.from(bytes.subarray(0, read(i))).toString('latin1'), sorted[i]);
        }
      }),
    );
  });

  it('are rejected if they are longer than 255 bytes', () => {
    assert.throws(() => frontCoded(['a'.repeat(256)]), /too long/);
  });
});
