import assert from 'node:assert/strict';
import { lookup } from 'node:dns';
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
import { UpstreamError } from '../../src/weather/errors.js';
import {
  createUpstreamClient,
  type JsonRequest,
  type UpstreamClient,
} from '../../src/upstream/upstream-client.js';
import { eventually } from '../support/eventually.js';
import { systemClock } from '../support/manual-clock.js';

/** A server, a client, and a request for the tests of the upstream client. */

export const AGENT = 'weather-test/1.0 ops@example.org';
const SCHEMA = Joi.object<{ value: number }>({ value: Joi.number().required() });
export const JSON_TYPE = { 'content-type': 'application/json' };

const closing: (() => unknown)[] = [];

/** Closes servers and clients after each test. Each file calls it: a program runs several files. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
}

interface Listening {
  url: URL;
  server: Server;
  /** Waits until all connections have ended. */
  abandoned: () => Promise<void>;
}

/**
 * A server on a free port until the test ends.
 * @param handler by default, it sends a valid response to `request`
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

/** A server that always sends this response. */
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

/** A client that is closed after the test. */
export function client(
  options: Partial<Parameters<typeof createUpstreamClient>[0]> = {},
): UpstreamClient {
  const made = createUpstreamClient({
    userAgent: AGENT,
    timeoutMs: 20_000,
    lookup,
    clock: systemClock,
    log: { warn: () => undefined },
    ...options,
  });
  closing.push(() => {
    made.close();
  });
  return made;
}

/** A request for the data of the server. */
export function request(url: URL, more: Partial<JsonRequest<{ value: number }>> = {}) {
  const { signal } = new AbortController();
  return { upstream: 'test-upstream', url, schema: SCHEMA, signal, ...more };
}

/** The error of a call that must fail. It must contain neither the API key nor the URL. */
export async function failure(work: Promise<unknown>): Promise<UpstreamError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UpstreamError, String(error));
  assert.equal(error.upstream, 'test-upstream');
  const text = `${error.message} ${String(error.cause)} ${JSON.stringify(error)}`;
  assert.ok(!text.includes('top-secret-key'), 'an error must not contain the key');
  assert.ok(!text.includes('127.0.0.1'), 'an error must not contain the URL');
  return error;
}
