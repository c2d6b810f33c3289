import assert from 'node:assert/strict';
import { it } from 'node:test';
import { jsonAnswer } from '../../../src/http/answer.js';
import type { Route } from '../../../src/http/context.js';
import { appOf } from '../../support/edge.js';
import { listenLocally } from '../../support/listen-locally.js';
import { recordingLog } from '../../support/records.js';

/** Responds with the headers that it has received. */
const ECHO: Route = {
  ...{ method: 'get', paths: ['/'] },
  answer: (ctx) => jsonAnswer(200, ctx.headers),
};

it('a proxy that is not trusted is logged once, and not if a proxy is trusted', async (t) => {
  for (const [trustedProxies, expected] of [
    [0, [['proxy_not_trusted', '127.0.0.1']]],
    [1, []],
  ] as const) {
    const { log, records } = recordingLog();
    const url = await listenLocally(t, appOf([ECHO], { trustedProxies, log }).callback());
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

it('a header of more than 1,000 characters has an invalid value, except cookies and the lists of proxies', async (t) => {
  const url = await listenLocally(t, appOf([ECHO], { trustedProxies: 1 }).callback());
  const names = ['accept', 'authorization', 'content-encoding', 'origin', 'x-any'];
  const long = ['cookie', 'x-forwarded-for', 'x-forwarded-proto'];
  const received = async (length: number) => {
    const headers: Record<string, string> = {};
    for (const name of [...names, ...long]) headers[name] = 'a'.repeat(length);
    const response = await fetch(url, { headers });
    const echoed = (await response.json()) as Record<string, string>;
    for (const name of long) assert.equal(echoed[name], headers[name]);
    return new Set(names.map((name) => echoed[name]));
  };
  assert.deepEqual(await received(1000), new Set(['a'.repeat(1000)]));
  assert.deepEqual(await received(1001), new Set(['?']));
});
