import assert from 'node:assert/strict';
import { it } from 'node:test';
import Koa from 'koa';
import type { RequestState } from '../../../src/http/context.js';
import { closeConnections } from '../../../src/http/middleware/close-connections.js';
import { ask } from '../../support/http-client.js';
import { listenLocally } from '../../support/listen-locally.js';

it('a response closes its connection while the process closes, also for an earlier request', async (t) => {
  const closing = new AbortController();
  let meanwhile = (): void => undefined;
  const app = new Koa<RequestState>();
  app.use(closeConnections(closing.signal));
  app.use(async (ctx) => {
    await new Promise(setImmediate);
    meanwhile();
    ctx.body = 'ok';
  });
  const url = await listenLocally(t, app.callback());
  assert.equal((await ask(url)).headers.connection, 'keep-alive');
  meanwhile = () => {
    closing.abort();
  };
  assert.equal((await ask(url)).headers.connection, 'close');
  assert.equal((await ask(url)).headers.connection, 'close');
});
