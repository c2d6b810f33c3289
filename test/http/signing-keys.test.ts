import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { describe, it, mock } from 'node:test';
import Keygrip from 'keygrip';
import { createSigningKeys } from '../../src/http/signing-keys.js';

const TEXT = 'session=11111111-1111-4111-8111-111111111111';

describe('the signing keys', () => {
  it('sign with the first and verify with all', () => {
    const keys = createSigningKeys(['new', 'old']);
    assert.equal(keys.sign(TEXT), new Keygrip(['new'], 'sha256').sign(TEXT));
    for (let time = 0; time < 2; time += 1) {
      assert.equal(keys.index(TEXT, keys.sign(TEXT)), 0);
      assert.equal(keys.index(TEXT, new Keygrip(['old'], 'sha256').sign(TEXT)), 1);
      assert.equal(keys.index(TEXT, new Keygrip(['other'], 'sha256').sign(TEXT)), -1);
    }
  });

  it('accept nothing that was tampered with, however often the good one was seen', () => {
    const keys = createSigningKeys(['key']);
    const signature = keys.sign(TEXT);
    const good = () => keys.index(TEXT, signature) === 0;
    assert.ok(good());
    const tampered: [string, string][] = [
      [TEXT.replace('1', '2'), signature],
      [`${TEXT}x`, signature],
      [TEXT.slice(0, -1), `${TEXT.at(-1)}\n${signature}`],
      [`${TEXT}\n${signature}`, ''],
      [TEXT, ''],
      [TEXT, signature.slice(0, -1)],
      [TEXT, `${signature}=`],
      [TEXT, signature.toUpperCase()],
      ['', signature],
    ];
    for (const [text, given] of tampered) {
      for (let time = 0; time < 2; time += 1) {
        assert.equal(keys.index(text, given), -1, JSON.stringify([text, given]));
        assert.ok(good());
      }
    }
  });

  it('take an HMAC once for a signature that is seen again, and each time for a bad one', () => {
    const keys = createSigningKeys(['key']);
    const signature = keys.sign(TEXT);
    const hmac = mock.method(crypto, 'createHmac');
    try {
      for (let time = 0; time < 5; time += 1) keys.index(TEXT, signature);
      const good = hmac.mock.calls.filter(({ arguments: [, key] }) => key === 'key').length;
      for (let time = 0; time < 5; time += 1) keys.index(TEXT, 'x'.repeat(43));
      const all = hmac.mock.calls.filter(({ arguments: [, key] }) => key === 'key').length;
      assert.deepEqual([good, all], [1, 6]);
    } finally {
      hmac.mock.restore();
    }
  });

  it('remember a bounded number of signatures', () => {
    const keys = createSigningKeys(['key']);
    const signature = keys.sign(TEXT);
    keys.index(TEXT, signature);
    for (let n = 0; n < 10_000; n += 1) keys.index(`session=${n}`, keys.sign(`session=${n}`));
    const hmac = mock.method(crypto, 'createHmac');
    try {
      assert.equal(keys.index(TEXT, signature), 0);
      // It had to make room, so it is computed again.
      assert.ok(hmac.mock.calls.some(({ arguments: [, key] }) => key === 'key'));
    } finally {
      hmac.mock.restore();
    }
  });
});
