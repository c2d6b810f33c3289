import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Joi from 'joi';
import { atMost, STRICTLY } from '../../src/upstream/schema.js';

describe('a list with a limit on its items', () => {
  const items = Joi.array()
    .items(Joi.object({ id: Joi.number().required() }))
    .min(1);
  const schema = Joi.object({ list: atMost(3, items) });
  const check = (list: unknown) => schema.validate({ list }, STRICTLY);

  it('is checked like any other', () => {
    const checked = check([{ id: 1, more: true }, { id: 2 }, { id: 3 }]);
    assert.deepEqual(checked.value, { list: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    assert.equal(checked.error, undefined);
    for (const wrong of [[], [{ id: '1' }], [{}], {}, 'text', 1, null]) {
      assert.ok(check(wrong).error, JSON.stringify(wrong));
    }
  });

  it('with too many items is rejected before an item is read', () => {
    let reads = 0;
    const item = {
      get id() {
        reads += 1;
        return 1;
      },
    };
    assert.match(check([item, item, item, item]).error?.message ?? '', /more than 3 items/);
    assert.equal(reads, 0);
    check([item]);
    assert.notEqual(reads, 0);
  });
});
