import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { jsonAnswer } from '../../../src/http/answer.js';
import type { Route } from '../../../src/http/context.js';
import type { KnownQuery } from '../../../src/http/answer.js';
import { appOf } from '../../support/edge.js';
import { listenLocally } from '../../support/listen-locally.js';

/** Serves a body. Returns a function that asks whether a URL is known, and makes it known. */
async function knownUrls(t: TestContext, body: string) {
  const route: Route = {
    method: 'get',
    paths: ['/'],
    parameters: ['n'],
    answer: (_ctx, _parameters, known) => ({
      ...jsonAnswer(200, { isKnown: known !== undefined }),
      known: { answer: { body } } as KnownQuery,
    }),
  };
  const url = await listenLocally(t, appOf([route]).callback());
  return async (query: string, method = 'GET') => {
    const text = await (await fetch(`${url}/${query}`, { method })).text();
    return text === '{"isKnown":true}\n';
  };
}

describe('known URLs', () => {
  for (const { character, count } of [
    { character: 'x', count: 23 },
    // V8 stores a text with such a character in two bytes per character.
    { character: '東', count: 11 },
  ]) {
    it(`are bounded by the bytes of their answers: ${count} of a million ${character}`, async (t) => {
      const isKnown = await knownUrls(t, character.repeat(1_000_000));
      const queries = Array.from({ length: count + 1 }, (_, n) => `?n=${n}`);
      for (const query of queries) assert.equal(await isKnown(query), false);
      for (const query of queries.slice(1)) assert.equal(await isKnown(query), true, query);
      assert.equal(await isKnown('?n=0'), false);
    });
  }

  it('are not those with a parameter that is ignored, and of other methods', async (t) => {
    const isKnown = await knownUrls(t, '');
    await isKnown('?n=1&units=metric');
    assert.equal(await isKnown('?n=1&units=metric'), false);
    await isKnown('?n=1', 'HEAD');
    assert.equal(await isKnown('?n=1'), true);
  });
});
