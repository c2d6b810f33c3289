import Koa from 'koa';
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { requestState } from '../../../src/http/middleware/request-state.js';
import type { RequestState } from '../../../src/http/context.js';
import { systemClock } from '../../../src/process/clock.js';
import { listenLocally } from '../../support/listen-locally.js';
import { recordingLog } from '../../support/records.js';

type State = Pick<RequestState, 'secure' | 'ip' | 'requestId'>;

/** The states of requests with these headers, and the log records, behind this number of trusted proxies. */
async function send(t: TestContext, trustedProxies: number, requests: Record<string, string>[]) {
  const { log, records } = recordingLog();
  const app = new Koa<RequestState>();
  const { signal } = new AbortController();
  const clock = systemClock;
  const isLate = () => false;
  app.use(requestState({ isLate, trustedProxies, log, clock, timeoutMs: 1000, signal }));
  app.use(({ state, response }) => {
    response.body = { secure: state.secure, ip: state.ip, requestId: state.requestId };
  });
  const url = await listenLocally(t, app.callback());
  const states: State[] = [];
  for (const headers of requests) {
    const response = await fetch(url, { headers });
    states.push((await response.json()) as State);
  }
  return { states, records };
}

describe('the scheme of a request', () => {
  it('is reported by the trusted proxies only, counted from the right', async (t) => {
    for (const [header, trusted, expected] of [
      ['https', 0, false],
      ['https', 1, true],
      [' HTTPS ', 1, true],
      [undefined, 1, false],
      ['', 1, false],
      ['http', 1, false],
      ['httpss', 1, false],
      // An entry of the client itself is further left.
      ['https, http', 1, false],
      ['http, https', 1, true],
      ['http, https, http', 2, true],
      ['https, http, http', 2, false],
      // One of the proxies does not append.
      ['https', 2, true],
      ['http', 2, false],
    ] as const) {
      const headers = header === undefined ? {} : { 'X-Forwarded-Proto': header };
      const { states } = await send(t, trusted, [headers]);
      assert.equal(states[0]?.secure, expected, `${String(header)} behind ${trusted}`);
    }
  });
});

describe('a proxy that is not trusted', () => {
  it('is logged once, at its first request, and not if a proxy is trusted', async (t) => {
    for (const [trusted, forwardedFor, expected] of [
      [0, ['', '203.0.113.7', '203.0.113.8'], [['proxy_not_trusted', '127.0.0.1']]],
      [0, ['', ''], []],
      [1, ['203.0.113.7'], []],
    ] as const) {
      const requests = forwardedFor.map((value) => ({ 'X-Forwarded-For': value }));
      const { records } = await send(t, trusted, requests);
      assert.deepEqual(
        records.map(({ event, ip }) => [event, ip]),
        expected,
      );
    }
  });
});
