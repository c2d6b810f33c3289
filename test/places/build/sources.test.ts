import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fold } from '../../../src/places/fold.js';
import { foldedNames, Rank } from '../../../tools/gazetteer/city-names.js';
import { addDistrictNames } from '../../../tools/gazetteer/districts.js';
import { orderNamesakes } from '../../../tools/gazetteer/namesakes.js';
import { nearestPlace } from '../../../tools/gazetteer/nearest-place.js';
import { addPostTowns } from '../../../tools/gazetteer/post-towns.js';
import { newPlace, type SourcePlace } from '../../../tools/gazetteer/source-places.js';

function place(
  name: string,
  [country, latitude, longitude]: [string, number, number],
  more: Partial<SourcePlace> = {},
): SourcePlace {
  return { ...newPlace(name, country, latitude, longitude), ...more };
}

describe('a town of a post office', () => {
  // Scenery Hill, PA is at 40.09, -80.07 in the list.
  const pennsylvania = { division: 'PA', population: 9_000 };
  const washington = place('Washington', ['US', 40.17, -80.25], pennsylvania);
  const added = (...places: SourcePlace[]): SourcePlace[] =>
    addPostTowns(places).filter(({ name }) => name === 'Scenery Hill');

  it('is added to the district of a nearby place of its state', () => {
    const [town] = added({ ...washington, district: '125' });
    assert.equal(town?.division, 'PA');
    assert.equal(town.district, '125');
    assert.deepEqual(added({ ...washington, division: 'OH' }), []);
  });

  it('is not added if a place has its name', () => {
    const same = place('Scenery Hill', ['US', 40.2, -80.2], pennsylvania);
    assert.equal(added(washington, same).length, 1);
    const former = { ...washington, alternateNames: ['Scenery Hill'] };
    assert.deepEqual(added(former), []);
  });

  it('comes after every other place with the name, whatever the rank of the name is', () => {
    const [town] = added(washington);
    const other = place('Hilltop', ['US', 33, -97], { alternateNames: ['scenery hill'] });
    const places = [town!, other];
    const list = places.map((each, value) => {
      return { value, rank: foldedNames(each).get(fold('Scenery Hill')) ?? Infinity };
    });
    orderNamesakes(list, places);
    assert.deepEqual(
      list.map(({ value }) => value),
      [1, 0],
    );
  });
});

describe('the name of a district', () => {
  // NL.07.0448 is "Gemeente Texel".
  const texel = { division: '07', district: '0448' };
  const denBurg = place('Den Burg', ['NL', 53.05, 4.8], { ...texel, population: 6_000 });
  const oosterend = place('Oosterend', ['NL', 53.09, 4.87], { ...texel, population: 1_000 });
  const named = (places: SourcePlace[]): (string | undefined)[] =>
    addDistrictNames(places)
      .filter((each) => foldedNames(each).has('texel'))
      .map(({ name }) => name);

  it('is a name of its main town with the lowest rank', () => {
    assert.deepEqual(named([oosterend, denBurg]), ['Den Burg']);
    const [town] = addDistrictNames([denBurg]);
    assert.equal(foldedNames(town!).get('texel'), Rank.romanized);
  });

  it('is not added if another place has it, or most people live far from the main town', () => {
    assert.deepEqual(named([denBurg, place('Texel', ['NL', 52, 5])]), ['Texel']);
    assert.deepEqual(named([denBurg, { ...oosterend, latitude: 51, population: 5_000 }]), []);
  });
});

describe('the nearest place', () => {
  it('is an accepted place of the country, also in another cell and near the poles', () => {
    const near = place('Near', ['NO', 78.01, 15.5]);
    const far = place('Far', ['NO', 78.2, 16.6]);
    const other = place('Other', ['SE', 78.01, 15.4]);
    const nearest = nearestPlace([far, other, near]);
    assert.equal(nearest('NO', 77.99, 15.4, () => true)?.place, near);
    assert.equal(nearest('NO', 77.99, 15.4, (each) => each !== near)?.place, far);
    assert.equal(
      nearest('NO', 70, 15.4, () => true),
      undefined,
    );
  });
});

describe('each extract of a package', () => {
  const folder = new URL('../../../tools/gazetteer/', import.meta.url);
  const names = ['airports', 'chinese-cities', 'post-towns', 'regions', 'zone-cities'];
  for (const name of names) {
    it(`names its source, version, and license (${name})`, () => {
      const read = (file: string) => readFileSync(new URL(`${name}/${file}`, folder), 'utf8');
      const { source, license } = JSON.parse(read(`${name}.json`)) as Record<string, string>;
      assert.match(source ?? '', /packages? \S/);
      assert.match(source ?? '', /\d+\.\d+/);
      if (license === 'public domain') return;
      assert.match(license ?? '', /see LICENSE|^Unicode-3\.0/);
      assert.ok(read('LICENSE').length > 1000);
    });
  }
});
