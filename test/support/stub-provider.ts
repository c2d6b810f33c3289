import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { keyOf, regularResponse, routeOf } from './stub-provider-apis.js';
import type { Damage } from './stub-provider-damage.js';
import { createWorld, PATHS } from './stub-provider-world.js';

export { openMeteoCost } from './stub-provider-open-meteo.js';
export { PATHS } from './stub-provider-world.js';
export {
  codeOfText,
  dateAt,
  stubForecast,
  stubHour,
  kmhOfMph,
  oneDecimal,
  stubWeather,
  type Sky,
  type StubWeather,
} from './stub-provider-weather.js';
export type { Damage } from './stub-provider-damage.js';
export { isNordic } from './stub-provider-met-norway.js';

/** What a path does before or instead of its regular response. */
export type Behavior = {
  /** Milliseconds before the response. */
  delayMs?: number;
  /** The number of calls to which it applies; without it, it applies until it is replaced. */
  times?: number;
} & Fault;

type Fault =
  | { kind: 'ok' }
  | { kind: 'hang' }
  | { kind: 'reset' }
  | { kind: 'status'; status: number; body?: string; headers?: Record<string, string> }
  /** Sends half of the body, and closes the connection. */
  | { kind: 'truncated' };

export interface Call {
  /** The path, or its pattern if it contains values. */
  path: string;
  /** Path and query as they were sent. */
  url: string;
  /** The point or the name as it was sent. */
  key: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  at: number;
}

export type StubProvider = Awaited<ReturnType<typeof startStubProvider>>;

/**
 * Starts the stub provider: an HTTP server like the real weather and geocoding services.
 * @param options.host the address on which it listens: containers cannot reach 127.0.0.1
 * @param options.now the clock of its data and of its responses
 */
export async function startStubProvider({ host = '127.0.0.1', now = Date.now } = {}) {
  const world = createWorld();
  const calls: Call[] = [];
  const behaviors = new Map<string, Behavior & { left: number }>();
  /** The clock of the stub provider: that of the last response to which a test gave a time. */
  let clock = now;

  const next = (path: string): Behavior => {
    const found = behaviors.get(path);
    if (!found || found.left === 0) return { kind: 'ok' };
    found.left -= 1;
    return found;
  };
  /** Replaces the behavior of a path. Without one, the path sends its regular response. */
  const behave = (path: string, behavior: Behavior = { kind: 'ok' }) => {
    behaviors.set(path, { ...behavior, left: behavior.times ?? Infinity });
  };

  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://stub-provider');
      const { path, query } = routeOf(url);
      const key = keyOf(query);
      calls.push({
        path,
        url: url.pathname + url.search,
        key,
        query: Object.fromEntries(query),
        headers: request.headers,
        at: Date.now(),
      });
      const behavior = next(path);
      if (behavior.delayMs) await sleep(behavior.delayMs, undefined, { ref: false });
      if (response.destroyed) return;
      const regular = () => regularResponse({ path, query }, world, clock());
      response.setHeader('date', new Date(clock()).toUTCString());
      if (behavior.kind !== 'ok') {
        play(behavior, request, response, () => regular().body);
        return;
      }
      const { status, headers, body } = regular();
      const isZipped = String(request.headers['accept-encoding']).includes('gzip');
      if (isZipped) response.setHeader('content-encoding', 'gzip');
      response.writeHead(status, headers);
      response.end(isZipped ? gzipSync(body, { level: 1 }) : body);
    })();
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    /** The base URL, without a path; the same for every service. */
    url: `http://127.0.0.1:${port}`,
    port,
    world,
    /** The calls since the start or the last reset, oldest first. */
    calls,
    /** The number of calls of a path; with a key, only those of the key. */
    count: (path: string, key?: string) =>
      calls.filter((call) => call.path === path && (key ?? call.key) === call.key).length,
    behave,
    now: () => clock(),
    /** Makes a path send JSON. @param options.at the time of this and later responses, in ms */
    respond(path: string, value: unknown, { status = 200, at = clock(), headers = {} } = {}) {
      clock = () => at;
      const date = new Date(at).toUTCString();
      const body = JSON.stringify(value);
      behave(path, { kind: 'status', status, body, headers: { date, ...headers } });
    },
    /** Damages the data of a point until the stub provider is reset. */
    damage(key: string, damage: Damage) {
      world.damages.set(key, damage);
    },
    /** Does the same for the two weather providers of the default configuration. */
    behaveAll(behavior: Behavior) {
      const { openMeteo, metNorway } = PATHS;
      for (const path of [openMeteo, metNorway]) behave(path, behavior);
    },
    /** Restores regular responses, and removes all calls. */
    reset() {
      calls.length = 0;
      behaviors.clear();
      Object.assign(world, createWorld());
      clock = now;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Responds with a fault.
 * @param regular returns the body of the regular response
 */
function play(
  fault: Exclude<Fault, { kind: 'ok' }>,
  request: IncomingMessage,
  response: ServerResponse,
  regular: () => string,
): void {
  switch (fault.kind) {
    case 'hang':
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'text/plain', ...fault.headers });
      response.end(fault.body ?? '');
      return;
    case 'truncated': {
      const body = regular();
      response.writeHead(200, { 'content-length': Buffer.byteLength(body) });
      response.write(body.slice(0, body.length / 2), () => response.destroy());
    }
  }
}
