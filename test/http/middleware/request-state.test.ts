import Koa from 'koa';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { requestState } from '../../../src/http/middleware/request-state.js';
import type { RequestState } from '../../../src/http/context.js';
import { ask } from '../../support/http-client.js';
import { listenLocally } from '../../support/listen-locally.js';
import { systemClock } from '../../support/manual-clock.js';
import { recordingLog } from '../../support/records.js';

it('a proxy that is not trusted is logged once, and not if a proxy is trusted', async (t) => {
  const { signal } = new AbortController();
  for (const [trustedProxies, expected] of [
    [0, [['proxy_not_trusted', '127.0.0.1']]],
    [1, []],
  ] as const) {
    const { log, records } = recordingLog();
    const options = { trustedProxies, log, clock: systemClock, timeoutMs: 1000, signal };
    const app = new Koa<RequestState>().use(requestState(options));
    const url = await listenLocally(t, app.callback());
    for (const forwarded of ['', '203.0.113.7', '203.0.113.8']) {
      await ask(url, { headers: { 'X-Forwarded-For': forwarded } });
    }
    assert.deepEqual(
      records.map(({ event, ip }) => [event, ip]),
      expected,
    );
  }
});

it('a header of more than 1,000 characters counts as absent, except cookies and the lists of proxies', async (t) => {
  const { signal } = new AbortController();
  const { log } = recordingLog();
  const options = { trustedProxies: 1, log, clock: systemClock, timeoutMs: 1000, signal };
  const app = new Koa<RequestState>().use(requestState(options));
  app.use((ctx) => (ctx.body = Object.keys(ctx.headers)));
  const url = await listenLocally(t, app.callback());
  const names = ['accept', 'accept-encoding', 'if-none-match', 'origin', 'range', 'x-any'];
  const long = ['cookie', 'x-forwarded-for', 'x-forwarded-proto'];
  const received = async (length: number) => {
    const headers: Record<string, string> = {};
    for (const name of [...names, ...long]) headers[name] = 'a'.repeat(length);
    const { json } = await ask(url, { headers });
    return (json as string[]).filter((name) => name !== 'host' && name !== 'connection');
  };
  assert.deepEqual(await received(1000), [...names, ...long]);
  assert.deepEqual(await received(1001), long);
});
