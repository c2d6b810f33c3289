import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDump } from '../../../tools/gazetteer/dump/parse.js';

const LINE =
  '2950159\tBerlin\tBerlin\tBER,Berlino\t52.52437\t13.41053\tP\tPPLC\tDE\t\t16\t00\t11000\t11000000\t3426354\t74\t43\tEurope/Berlin\t2024-01-01';

describe("a line of GeoNames' dump", () => {
  it('becomes a row of the list of newer names', () => {
    assert.deepEqual(parseDump(`${LINE}\n`), [
      {
        name: 'Berlin',
        lat: '52.52437',
        lng: '13.41053',
        country: 'DE',
        admin1: '16',
        admin2: '00',
      },
    ]);
  });

  it('with other columns or without a point is refused by its number', () => {
    assert.throws(() => parseDump(`${LINE}\n${LINE}\tmore`), /line 2/);
    assert.throws(() => parseDump(LINE.replace('52.52437', '')), /line 1/);
  });
});
