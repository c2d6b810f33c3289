import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readCache, writeCache } from '../../../tools/build/gazetteer.js';

const BYTES = Buffer.from('a gazetteer '.repeat(100));

let folder: string;
/** The folder of the cache of one test. */
let cache: string;
let tests = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weather-cache-'));
});

beforeEach(() => {
  cache = join(folder, String(tests++));
  writeCache(cache, 'key', BYTES);
});

after(async () => {
  await rm(folder, { recursive: true });
});

const entry = (key = 'key') => join(cache, `gazetteer-${key}.bin`);

describe('the cache of the gazetteer', () => {
  it('returns the bytes of a key, and undefined for another key', () => {
    assert.deepEqual(readCache(cache, 'key'), BYTES);
    assert.equal(readCache(cache, 'other'), undefined);
    assert.equal(readCache(join(cache, 'nowhere'), 'key'), undefined);
  });

  it('ignores an entry of another length, with a changed bit, or with the name of another key', () => {
    const whole = readFileSync(entry());
    const flipped = (at: number) => {
      const copy = Buffer.from(whole);
      copy[at]! ^= 1;
      return copy;
    };
    const damaged = [
      ...[0, 16, 32, whole.length - 1].map((length) => whole.subarray(0, length)),
      Buffer.concat([whole, Buffer.alloc(1)]),
      ...[0, 31, 32, whole.length - 1].map(flipped),
    ];
    for (const [index, bytes] of damaged.entries()) {
      writeFileSync(entry(), bytes);
      assert.equal(readCache(cache, 'key'), undefined, String(index));
    }
    writeFileSync(entry('other'), whole);
    assert.equal(readCache(cache, 'other'), undefined);
  });

  it('has at most four entries, the most recent ones', () => {
    utimesSync(entry(), 1, 1);
    for (const key of ['b', 'c', 'd']) writeCache(cache, key, BYTES);
    assert.ok(existsSync(entry()));
    writeCache(cache, 'e', BYTES);
    assert.deepEqual(
      readdirSync(cache).sort(),
      ['b', 'c', 'd', 'e'].map((key) => `gazetteer-${key}.bin`),
    );
  });
});
