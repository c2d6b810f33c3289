import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hashKey } from '../../src/places/data/key-hash.js';

it('the hash of a key is cyrb53, without its five highest bits', () => {
  // From https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js
  const published: [key: string, hash: number][] = [
    ['a', 7929297801672961],
    ['b', 8684336938537663],
    ['revenge', 4051478007546757],
    ['revenue', 8309097637345594],
  ];
  for (const [key, hash] of published) {
    const { bucket, fingerprint } = hashKey(key);
    assert.equal(fingerprint, hash % 2 ** 32);
    assert.equal(bucket, Math.floor(hash / 2 ** 32) % 2 ** 16);
  }
});
