import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assemble } from '../../../tools/gazetteer/assemble.js';
import { foldedNames, Rank } from '../../../tools/gazetteer/city-names.js';
import { orderNamesakes } from '../../../tools/gazetteer/namesakes.js';
import { people } from '../../../tools/gazetteer/population.js';
import { shareForeignNames } from '../../../tools/gazetteer/shared-names.js';
import { newPlace, type SourcePlace } from '../../../tools/gazetteer/source-places.js';

function place(name: string, more: Partial<SourcePlace> = {}): SourcePlace {
  return { ...newPlace(name, 'US', 0, 0), ...more };
}

describe('building the gazetteer', () => {
  it('fails for a country whose display name lookups do not accept', () => {
    const build = (name: string) => {
      const names = { areas: [], keys: () => [], englishName: () => name };
      return assemble([place('West Island')], names, {
        names: [],
        first: () => 0,
        second: () => 0,
        former: () => 0,
        named: () => [],
        keys: () => [],
      });
    };
    assert.equal(build('Cocos Islands').countries[0]?.name, 'Cocos Islands');
    assert.throws(() => build('Cocos (Keeling) Islands'), /Cocos \(Keeling\) Islands/);
  });
});

describe('a name in a foreign script', () => {
  /** Returns the names of the large place after sharing. */
  const shared = (large: Partial<SourcePlace>, small: Partial<SourcePlace>): string[] => {
    const places = [
      place('Washington', { population: 600_000, ...large }),
      place('Washington', { population: 24_000, ...small }),
    ];
    return shareForeignNames(places)[0]?.alternateNames ?? [];
  };

  it('is added to the much larger place with the same English name', () => {
    assert.deepEqual(shared({}, { alternateNames: ['华盛顿', 'Вашингтон'] }), [
      '华盛顿',
      'Вашингтон',
    ]);
    assert.deepEqual(
      shared(
        { name: 'Frankfurt am Main', alternateNames: ['Frankfurt'] },
        { name: 'Frankfurt (Oder)', alternateNames: ['フランクフルト'] },
      ),
      ['Frankfurt', 'フランクフルト'],
    );
  });

  it('is not added if it says more than the English name', () => {
    for (const name of ['واشنگٹن، یوٹاہ', 'Вашингтон Юта', '华盛顿 (犹他州)', 'Washingtonas']) {
      assert.deepEqual(shared({}, { alternateNames: [name] }), [], name);
    }
  });

  it('is not added to a place that is not larger, or has another name', () => {
    const alternateNames = ['华盛顿'];
    assert.deepEqual(shared({}, { alternateNames, population: 200_000 }), []);
    assert.deepEqual(shared({ name: 'Wáshington' }, { alternateNames }), []);
    assert.deepEqual(shared({ country: 'CA' }, { alternateNames }), []);
  });

  it('is not added in countries with another script than Latin', () => {
    for (const country of ['CN', 'JP', 'KR', 'TW', 'RU']) {
      assert.deepEqual(shared({ country }, { country, alternateNames: ['华盛顿'] }), [], country);
    }
  });
});

describe('the names of a place', () => {
  it('have ranks by their kind', () => {
    const names = foldedNames(
      place('Newcastle upon Tyne', {
        formerNames: ['Monkchester'],
        alternateNames: ['Newcastle', 'NCL', 'nyukaseul'],
      }),
    );
    assert.deepEqual(Object.fromEntries(names), {
      newcastleupontyne: Rank.primary,
      monkchester: Rank.near,
      newcastle: Rank.near,
      ncl: Rank.alternate,
      nyukaseul: Rank.romanized,
    });
  });

  it('include both halves of a bilingual name', () => {
    const names = foldedNames(place('Donostia / San Sebastián', { country: 'ES' }));
    assert.equal(names.get('donostia'), Rank.near);
    assert.equal(names.get('sansebastian'), Rank.near);
  });

  it('include German spellings in their countries, and the name without the word for "city"', () => {
    assert.ok(!foldedNames(place('Köln', { country: 'TR' })).has('koeln'));
    for (const [name, country, short] of [
      ['Köln', 'DE', 'koeln'],
      ['Bacolod City', 'PH', 'bacolod'],
      ['Fukui-shi', 'JP', 'fukui'],
      ['大阪市', 'JP', '大阪'],
    ] as const) {
      assert.ok(foldedNames(place(name, { country })).has(short), name);
    }
  });

  it('in the script of the country have the rank of a part of the name if they are the main name', () => {
    const names = foldedNames(
      place('Tolyatti', { country: 'RU', alternateNames: ['Тольятти', 'Ставрополь'] }),
    );
    assert.equal(names.get('тольятти'), Rank.near);
    assert.equal(names.get('ставрополь'), Rank.alternate);
  });

  it('are not a part of the name if they are shorter than a third of it', () => {
    const names = foldedNames(
      place('Newcastle upon Tyne', { country: 'GB', alternateNames: ['Newcastle', 'Tyne'] }),
    );
    assert.equal(names.get('newcastle'), Rank.near);
    assert.equal(names.get('tyne'), Rank.alternate);
  });

  it('of a part of a city have lower ranks, unless it is famous', () => {
    const harlem = { section: true, alternateNames: ['Haarlem'] };
    assert.deepEqual(
      [...foldedNames(place('Harlem', harlem)).values()],
      [Rank.alternate, Rank.section],
    );
    assert.deepEqual(
      [...foldedNames(place('Harlem', { ...harlem, fame: 50 })).values()],
      [Rank.primary, Rank.alternate],
    );
  });
});

describe('the order of namesakes', () => {
  type Row = [population: number, rank: number, more?: Partial<SourcePlace>];
  const order = (...list: Row[]): number[] => {
    const places = list.map(([population, , more]) => place('X', { population, ...more }));
    const namesakes = list.map(([, rank], value) => ({ value, rank }));
    orderNamesakes(namesakes, places);
    return namesakes.map(({ value }) => value);
  };

  it('is by rank of the name, then by population', () => {
    assert.deepEqual(order([300_000, Rank.alternate], [70_000, Rank.primary]), [1, 0]);
    assert.deepEqual(order([70_000, Rank.primary], [5_000, Rank.primary]), [0, 1]);
  });

  it('has a city by a part of its name before a town with a tenth of its population', () => {
    assert.deepEqual(order([600_000, Rank.near], [2_000, Rank.primary]), [0, 1]);
    assert.deepEqual(order([600_000, Rank.near], [70_000, Rank.primary]), [1, 0]);
    assert.deepEqual(order([600_000, Rank.near], [50_000, Rank.primary]), [0, 1]);
    assert.deepEqual(order([600_000, Rank.alternate], [2_000, Rank.primary]), [1, 0]);
  });

  it('has a city before places of unknown population', () => {
    assert.deepEqual(order([600_000, Rank.alternate], [0, Rank.primary]), [0, 1]);
    assert.deepEqual(order([600_000, Rank.romanized], [0, Rank.primary]), [1, 0]);
  });

  it('has the better-known village first, and the better-known town only if both have a similar size', () => {
    const known = { fame: 40 };
    assert.deepEqual(order([10_000, Rank.primary], [5_000, Rank.primary, known]), [1, 0]);
    assert.deepEqual(order([150_000, Rank.primary], [140_000, Rank.primary, known]), [1, 0]);
    assert.deepEqual(order([150_000, Rank.primary], [60_000, Rank.primary, known]), [0, 1]);
  });

  it('has a suburb of a metropolis last', () => {
    const away = { latitude: 10 };
    const metropolis: Row = [4_000_000, Rank.alternate];
    const suburb: Row = [30_000, Rank.primary];
    assert.deepEqual(order(metropolis, suburb, [8_000, Rank.primary, away]), [2, 1, 0]);
    assert.deepEqual(
      order(metropolis, [30_000, Rank.primary, away], [8_000, Rank.primary]),
      [1, 2, 0],
    );
  });
});

describe('the population for sorting', () => {
  it('is the population, unless the place has too few names for it', () => {
    assert.equal(people(674_246, 'PPL', 45), 674_246);
    assert.equal(people(1_324_570, 'PPL', 3), 45_000);
    assert.equal(people(1_324_570, 'PPLA', 3), 1_324_570);
  });

  it('is an estimate for seats of government without a population', () => {
    assert.equal(people(0, 'PPLC', 1), 100_000);
    assert.equal(people(0, 'PPLA', 1), 50_000);
    assert.equal(people(0, 'PPLA2', 30), 150_000);
    assert.equal(people(0, 'PPL', 30), 0);
  });
});
