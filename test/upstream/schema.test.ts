import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Joi from 'joi';
import { atMost, STRICTLY } from '../../src/upstream/schema.js';

describe('a list with a limit on its items', () => {
  it('with too many items is rejected before an item is read', () => {
    const list = atMost(3, Joi.array().items(Joi.object({ id: Joi.number().required() })));
    const check = (items: unknown) => list.validate(items, STRICTLY);
    let reads = 0;
    const item = {
      get id() {
        reads += 1;
        return 1;
      },
    };
    assert.match(check([item, item, item, item]).error?.message ?? '', /more than 3 items/);
    assert.equal(reads, 0);
    assert.equal(check([item, item, item]).error, undefined);
    assert.notEqual(reads, 0);
  });
});
