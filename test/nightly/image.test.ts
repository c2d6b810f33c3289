import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildImage, removeImage } from '../deploy/image.js';

describe('two builds of one commit', () => {
  it('have equal layers', () => {
    const [first, second] = ['one', 'two'].map((name) => {
      const tag = `localhost/weather-lookup-service:${name}`;
      const { layers } = buildImage(tag);
      removeImage(tag);
      return layers;
    });
    assert.ok(first!.length > 3);
    assert.deepEqual(second, first);
  });
});
