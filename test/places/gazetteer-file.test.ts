import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FORMAT_VERSION, readGazetteerFile } from '../../src/places/data/gazetteer-file.js';
import { encodeGazetteer } from '../../tools/gazetteer/encode.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

describe("the gazetteer's file", () => {
  let folder: string;
  let bytes: Buffer;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gazetteer-'));
    bytes = readFileSync(builtGazetteer());
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const rejects = (what: string, change: (copy: Buffer) => Buffer, why: RegExp) => {
    it(`is rejected if it is ${what}, with an error that says what to run`, () => {
      const file = join(folder, 'changed.bin');
      writeFileSync(file, change(Buffer.from(bytes)));
      assert.throws(() => readGazetteerFile(file), why);
      assert.throws(() => readGazetteerFile(file), /npm run build/);
    });
  };
  rejects('another file', () => Buffer.from('<html>no such page</html>'), /is not a gazetteer/);
  rejects('cut short', (copy) => copy.subarray(0, copy.length - 100), /is incomplete/);
  rejects('longer than it was', (copy) => Buffer.concat([copy, copy]), /is incomplete/);
  rejects('half written', (copy) => copy.fill(0, copy.length >> 1), /is incomplete/);
  rejects(
    'of another version',
    (copy) => {
      copy.writeUInt32LE(FORMAT_VERSION + 1, 4);
      return copy;
    },
    /has version \d+, not \d+/,
  );

  it('is rejected if it is missing, with an error that says what to run', () => {
    assert.throws(() => readGazetteerFile(join(folder, 'nothing.bin')), /npm run build/);
  });

  it('is encoded to the same bytes after decoding', () => {
    assert.deepEqual(encodeGazetteer(readGazetteerFile(builtGazetteer())), bytes);
  });
});
