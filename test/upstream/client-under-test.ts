import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'node:test';
import { promisify } from 'node:util';
import Joi from 'joi';
import { UpstreamError } from '../../src/errors.js';
import {
  createUpstreamClient,
  type JsonRequest,
  type UpstreamClient,
} from '../../src/upstream/upstream-client.js';
import { eventually } from '../support/eventually.js';
import { systemClock } from '../support/manual-clock.js';

/** What the tests of the upstream client share: a server, a client, a request. */

export const AGENT = 'weather-test/1.0 ops@example.org';
const SCHEMA = Joi.object<{ value: number }>({ value: Joi.number().required() });
export const JSON_TYPE = { 'content-type': 'application/json' };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Listening {
  url: URL;
  server: Server;
  /** Waits until all connections have ended. */
  abandoned: () => Promise<void>;
}

/**
 * A server on a free port until the test ends.
 * @param handler by default it gives what a request of `request` asks for
 */
export async function listen(
  handler: RequestListener = (_incoming, response) => response.end('{"value":1}'),
): Promise<Listening> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const connections = promisify(server.getConnections.bind(server));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: new URL(`http://127.0.0.1:${port}/data?appid=top-secret-key`),
    abandoned: () =>
      eventually(async () => (await connections()) === 0, 'the end of all connections'),
  };
}

/** A server that always answers so. */
export function listenWith(
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
): Promise<Listening> {
  return listen((_incoming, response) => {
    response.sendDate = false;
    response.writeHead(status, headers).end(body);
  });
}

/** A client until the test ends. */
export function client(
  options: Partial<Parameters<typeof createUpstreamClient>[0]> = {},
): UpstreamClient {
  const made = createUpstreamClient({
    userAgent: AGENT,
    timeoutMs: 20_000,
    clock: systemClock,
    ...options,
  });
  closing.push(() => {
    made.close();
  });
  return made;
}

/** A request of the data that the server gives. */
export function request(url: URL, more: Partial<JsonRequest<{ value: number }>> = {}) {
  const { signal } = new AbortController();
  return { upstream: 'test-upstream', url, schema: SCHEMA, signal, ...more };
}

/** The error of a call that must fail; it tells neither key nor address. */
export async function failure(work: Promise<unknown>): Promise<UpstreamError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UpstreamError, String(error));
  assert.equal(error.upstream, 'test-upstream');
  const told = `${error.message} ${String(error.cause)} ${JSON.stringify(error)}`;
  assert.ok(!told.includes('top-secret-key'), 'an error must not hold the key');
  assert.ok(!told.includes('127.0.0.1'), 'an error must not hold the URL');
  return error;
}
