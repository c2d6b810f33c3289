import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readCache, writeCache } from '../../../tools/build/gazetteer.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
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

  it('ignores an entry that is too short or too long', () => {
    const whole = readFileSync(entry());
    for (const length of [0, 16, 32, whole.length - 1]) {
      writeFileSync(entry(), whole.subarray(0, length));
      assert.equal(readCache(cache, 'key'), undefined, `${length} bytes`);
    }
    writeFileSync(entry(), Buffer.concat([whole, Buffer.alloc(1)]));
    assert.equal(readCache(cache, 'key'), undefined);
  });

  it('ignores an entry with a changed bit', () => {
    const whole = readFileSync(entry());
    for (const at of [0, 31, 32, whole.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1;
      writeFileSync(entry(), damaged);
      assert.equal(readCache(cache, 'key'), undefined, `byte ${at}`);
    }
  });

  it('ignores an entry with the name of another key', () => {
    writeFileSync(entry('other'), readFileSync(entry()));
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

  it('never returns a partial entry while several processes write it', async () => {
    const [first, second] = [1, 2].map((byte) => Buffer.alloc(3_000_000, byte));
    writeCache(cache, 'key', first!);
    const program = `
      import { writeCache } from '${ROOT}/tools/build/gazetteer.ts';
      for (let i = 0; i < 15; i++) writeCache(process.argv[1], 'key', Buffer.alloc(3_000_000, 1 + (i % 2)));
    `;
    const options = ['--import', 'tsx', '--input-type=module', '--eval', program, cache];
    const writers = [1, 2, 3].map(() =>
      spawn(process.execPath, options, { cwd: ROOT, stdio: 'inherit' }),
    );
    let writing = writers.length;
    const codes = writers.map(async (writer) => {
      const [code] = (await once(writer, 'exit')) as [number];
      writing--;
      return code;
    });
    while (writing > 0) {
      const bytes = readCache(cache, 'key');
      assert.ok(bytes && (bytes.equals(first!) || bytes.equals(second!)));
      await new Promise(setImmediate);
    }
    assert.deepEqual(await Promise.all(codes), [0, 0, 0]);
  });
});
