import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../support/properties.js';
import { foldTyped, typedForms } from '../../src/places/typed-names.js';
import { fold } from '../../src/places/fold.js';

/** Tells whether a name is found by a typed beginning. */
function isFound(name: string, typed: string): boolean {
  return typedForms(name).some((form) => form.startsWith(foldTyped(typed)));
}

function beginnings(name: string): string[] {
  const letters = Array.from(name);
  return letters.map((_, i) => letters.slice(0, i + 1).join(''));
}

describe('an incomplete name', () => {
  const names: [name: string, ...spellings: string[]][] = [
    ['Saint Petersburg', 'St. Petersburg', 'St Petersburg', 'Saint-Petersburg'],
    ['St. Louis', 'Saint Louis', 'St-Louis'],
    ['Port St. Lucie', 'Port Saint Lucie', 'port-saint-lucie'],
    ['Fort Saint John', 'Ft. St. John', 'Fort St John', 'Ft Saint John'],
    ['Mount Vernon', 'Mt. Vernon'],
    ['Sainte-Foy', 'Ste. Foy'],
    ['Fortaleza'],
    ['القاهرة', 'قاهرة'],
    ['الدار البيضاء', 'دار البيضاء', 'الدار بيضاء'],
  ];
  for (const [name, ...others] of names) {
    it(`finds ${name} from the first letter to the last`, () => {
      for (const spelling of [name, ...others]) {
        for (const typed of beginnings(spelling)) assert.ok(isFound(name, typed), typed);
      }
    });
  }

  it('is not abbreviated before the word is complete', () => {
    assert.ok(!isFound('Stockholm', 'Saint'));
    assert.ok(!isFound('Stockholm', 'St '));
    assert.ok(isFound('Stockholm', 'St'));
  });

  it('has the form of lookups among its forms', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        assert.ok(typedForms(name).includes(fold(name)));
      }),
    );
  });
});
