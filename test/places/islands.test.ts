import assert from 'node:assert/strict';
import { it } from 'node:test';
import table from '../../tools/gazetteer/tables/islands.json' with { type: 'json' };
import { find, gazetteer } from '../support/gazetteer.js';

it('each name in the table of islands finds the main town of the island', () => {
  for (const [country, town, names] of table.islands as [string, string, string[]][]) {
    const match = gazetteer.findCity(town, country);
    assert.equal(match.kind, 'found', town);
    for (const name of names) assert.deepEqual(gazetteer.findCity(name, country), match, name);
  }
});

it('an island that is the city of a time zone in CLDR is its main town, in all languages', () => {
  for (const tahiti of ['Tahiti', 'Таити', '大溪地', 'タヒチ']) {
    assert.equal(find(tahiti, 'French Polynesia'), 'Papeete, French Polynesia', tahiti);
  }
  for (const island of ['Easter Island', 'Остров Пасхи', 'イースター島']) {
    assert.equal(find(island, 'Chile'), 'Hanga Roa, Chile', island);
  }
  // The name of a country means its capital, and not the town of its airport.
  assert.equal(find('Isle of Man', 'Isle of Man'), 'Douglas, Isle of Man');
});
