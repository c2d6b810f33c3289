import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestKey, weatherRequest } from '../../src/weather/request.js';

const OSLO = { latitude: 59.91273, longitude: 10.74609 };

describe('a weather request', () => {
  it('is for a known place at the position of a place, and nowhere else', () => {
    const isKnown = (point: typeof OSLO, place?: typeof OSLO) => {
      const request = weatherRequest(point, place);
      return request.kind === 'weather' && request.isKnown === true;
    };
    assert.equal(isKnown(OSLO, OSLO), true);
    assert.equal(isKnown({ latitude: 59.9127, longitude: 10.7461 }, OSLO), true);
    assert.equal(isKnown({ latitude: 59.9128, longitude: 10.7461 }, OSLO), false);
    assert.equal(isKnown(OSLO), false);
    assert.equal(requestKey(weatherRequest(OSLO)), requestKey(weatherRequest(OSLO, OSLO)));
  });
});
