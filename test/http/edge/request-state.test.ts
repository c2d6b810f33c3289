import assert from 'node:assert/strict';
import { it } from 'node:test';
import { jsonAnswer } from '../../../src/http/answer.js';
import type { Route } from '../../../src/http/route.js';
import { appOf } from '../../support/edge.js';
import { listenLocally } from '../../support/listen-locally.js';
import { recordingLog } from '../../support/records.js';

/** Responds with the names of the headers that it has received. */
const NAMES: Route = {
  ...{ method: 'get', paths: ['/'] },
  answer: (ctx) => jsonAnswer(200, Object.keys(ctx.headers)),
};

it('a proxy that is not trusted is logged once, and not if a proxy is trusted', async (t) => {
  for (const [trustedProxies, expected] of [
    [0, [['proxy_not_trusted', '127.0.0.1']]],
    [1, []],
  ] as const) {
    const { log, records } = recordingLog();
    const url = await listenLocally(t, appOf([NAMES], { trustedProxies, log }).callback());
    for (const forwarded of ['', '203.0.113.7', '203.0.113.8']) {
      await (await fetch(url, { headers: { 'X-Forwarded-For': forwarded } })).text();
    }
    const warnings = records.filter(({ event }) => event !== 'request');
    assert.deepEqual(
      warnings.map(({ event, ip }) => [event, ip]),
      expected,
    );
  }
});

it('a header of more than 1,000 characters counts as absent, except cookies and the lists of proxies', async (t) => {
  const url = await listenLocally(t, appOf([NAMES], { trustedProxies: 1 }).callback());
  const names = ['accept', 'if-none-match', 'origin', 'range', 'x-any'];
  const long = ['cookie', 'x-forwarded-for', 'x-forwarded-proto'];
  const received = async (length: number) => {
    const headers: Record<string, string> = {};
    for (const name of [...names, ...long]) headers[name] = 'a'.repeat(length);
    const response = await fetch(url, { headers });
    const all = (await response.json()) as string[];
    return [...names, ...long].filter((name) => all.includes(name));
  };
  assert.deepEqual(await received(1000), [...names, ...long]);
  assert.deepEqual(await received(1001), long);
});
