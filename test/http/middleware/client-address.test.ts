import Koa from 'koa';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { client } from '../../../src/http/middleware/client-address.js';
import type { AppContext, RequestState } from '../../../src/http/context.js';
import { recordingLog } from '../../support/records.js';

/** Whether a request with this header counts as one over TLS, behind so many trusted proxies. */
async function isSecure(forwardedProto: string | undefined, trusted: number): Promise<boolean> {
  const app = new Koa<RequestState>();
  app.use(client(trusted, recordingLog().log)).use((ctx) => {
    ctx.body = { secure: ctx.state.secure };
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const headers = forwardedProto === undefined ? {} : { 'X-Forwarded-Proto': forwardedProto };
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
    return ((await response.json()) as { secure: boolean }).secure;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('the scheme of a request', () => {
  it('comes from the trusted proxies only, counted from the right', async () => {
    for (const [header, trusted, expected] of [
      ['https', 0, false],
      ['https', 1, true],
      [' HTTPS ', 1, true],
      [undefined, 1, false],
      ['', 1, false],
      ['http', 1, false],
      ['httpss', 1, false],
      // What a client wrote itself stands further left.
      ['https, http', 1, false],
      ['http, https', 1, true],
      ['http, https, http', 2, true],
      ['https, http, http', 2, false],
      // A proxy in the row that does not append: what there is counts.
      ['https', 2, true],
      ['http', 2, false],
    ] as const) {
      assert.equal(
        await isSecure(header, trusted),
        expected,
        `${String(header)} behind ${trusted}`,
      );
    }
  });
});

describe('a proxy that is not trusted', () => {
  /** The hints that come for requests with these headers, none of them from a trusted proxy. */
  async function hintsFor(trusted: number, headers: string[]): Promise<unknown[]> {
    const { log, records } = recordingLog();
    const middleware = client(trusted, log);
    for (const header of headers) {
      const req = { socket: { remoteAddress: '10.9.8.7' } };
      const get = (name: string) => (name === 'X-Forwarded-For' ? header : '');
      await middleware({ req, state: {}, get } as unknown as AppContext, () => Promise.resolve());
    }
    return records.map(({ event, ip }) => [event, ip]);
  }

  it('is hinted at once', async () => {
    const hints = await hintsFor(0, ['', '203.0.113.7', '203.0.113.8']);
    assert.deepEqual(hints, [['proxy_not_trusted', '10.9.8.7']]);
  });

  it('is not where one is trusted, nor without the header', async () => {
    assert.deepEqual(await hintsFor(1, ['203.0.113.7']), []);
    assert.deepEqual(await hintsFor(0, ['', '']), []);
  });
});
