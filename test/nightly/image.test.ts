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
    // The base, which may be one layer, and ours.
    assert.ok(first!.length > 1);
    assert.deepEqual(second, first);
  });
});
