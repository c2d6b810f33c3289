import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ISLANDS } from '../../tools/gazetteer/islands.js';
import { find, gazetteer } from '../support/gazetteer.js';

it('each name in the table of islands finds the main town of the island', () => {
  for (const { country, town, names, also, at } of ISLANDS) {
    const match = gazetteer.findCity(town, country);
    assert.ok(match.kind === 'found', town);
    if (at) assert.deepEqual([match.place.latitude, match.place.longitude], at, town);
    for (const name of names) assert.deepEqual(gazetteer.findCity(name, country), match, name);
    // Two countries claim the area.
    for (const home of also) {
      for (const name of [town, ...names]) assert.deepEqual(gazetteer.findCity(name, home), match);
    }
  }
});

it('an island whose town no source has is found and suggested, with its own time zone', () => {
  for (const [typed, island, country, zone] of [
    ['Lord How', 'Lord Howe Island', 'Australia', 'Australia/Lord_Howe'],
    ['Rakiura', 'Stewart Island', 'New Zealand', 'Pacific/Auckland'],
  ] as const) {
    const [first] = gazetteer.suggest(typed, 1) ?? [];
    assert.equal(`${first?.city}, ${first?.country}`, `${island}, ${country}`);
    assert.equal(first?.timeZone, zone);
    assert.equal(find(island, country), `${island}, ${country}`);
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
