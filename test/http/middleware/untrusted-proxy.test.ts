import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { untrustedProxy } from '../../../src/http/middleware/untrusted-proxy.js';
import type { AppContext } from '../../../src/http/context.js';
import { recordingLog } from '../../support/records.js';

/** How many hints come for so many requests from one address. */
async function hintsFor(ip: string, count: number, forwardedFor = '203.0.113.7'): Promise<number> {
  const { log, records } = recordingLog();
  const middleware = untrustedProxy(log);
  const ctx = { state: { ip }, get: () => forwardedFor } as unknown as AppContext;
  for (let n = 0; n < count; n += 1) await middleware(ctx, () => Promise.resolve());
  return records.length;
}

describe('a proxy that is not trusted', () => {
  it('is hinted at once for a private address that forwards again and again', async () => {
    for (const ip of ['127.0.0.1', '10.9.8.7', '172.31.0.1', '192.168.1.1', '::1', 'fd00::1']) {
      assert.equal(await hintsFor(ip, 9), 0, ip);
      assert.equal(await hintsFor(ip, 100), 1, ip);
    }
  });

  it('is not for a public address, which may write what it likes, nor without the header', async () => {
    for (const ip of ['203.0.113.1', '172.32.0.1', '2001:db8::1', 'unknown']) {
      assert.equal(await hintsFor(ip, 100), 0, ip);
    }
    assert.equal(await hintsFor('10.0.0.1', 100, ''), 0);
  });
});
