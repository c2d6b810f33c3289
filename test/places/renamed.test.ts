import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gazetteer } from '../support/gazetteer.js';

describe('a town of Ukraine with a new name', () => {
  it('is found by its new and its old name, in its own script and in Latin letters', () => {
    for (const names of [
      ['Шептицький', 'Sheptytskyi', 'Червоноград', 'Chervonohrad'],
      ['Самар', 'Samar', 'Новомосковськ', 'Novomoskovsk'],
      ['Берестин', 'Berestyn', 'Красноград'],
      ['Звягель', 'Zviahel', 'Новоград-Волинський'],
      ['Шахтарське', 'Shakhtarske', 'Першотравенськ'],
      ['Сіверськодонецьк', 'Siverskodonetsk', 'Сєвєродонецьк'],
      ['Південноукраїнськ', 'Pivdennoukrainsk', 'Южноукраїнськ'],
      ['Південне', 'Pivdenne', 'Южне'],
      ['Сокологірськ', 'Sokolohirsk'],
      ['Златопіль', 'Zlatopil', 'Первомайський'],
      ['Багачеве', 'Bahacheve', 'Ватутіне'],
      ['Кадіївка', 'Kadiyivka', 'Стаханов'],
      ['Бессарабське', 'Bessarabske', 'Тарутине'],
      ['Курман', 'Kurman'],
    ]) {
      const [first, ...others] = names.map((name) => gazetteer.findCity(name, 'Україна'));
      assert.equal(first?.kind, 'found', names[0]);
      for (const [i, other] of others.entries()) assert.deepEqual(other, first, names[i + 1]);
    }
  });
});
