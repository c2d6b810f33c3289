import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import Koa from 'koa';
import type { RequestState } from '../../../src/http/context.js';
import { closeConnections } from '../../../src/http/middleware/close-connections.js';
import { ask } from '../../support/http-client.js';

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
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  assert.equal((await ask(url)).headers.connection, 'keep-alive');
  meanwhile = () => {
    closing.abort();
  };
  assert.equal((await ask(url)).headers.connection, 'close');
  assert.equal((await ask(url)).headers.connection, 'close');
});
