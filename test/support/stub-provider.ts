import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { APIS, createWorld, keyOf, routeOf, type World, PATHS } from './stub-provider-apis.js';
import { play, type Behavior } from './stub-provider-faults.js';

export { PATHS, type World } from './stub-provider-apis.js';
export {
  metSymbol,
  stubForecast,
  stubWeather,
  today,
  type StubWeather,
} from './stub-provider-weather.js';
export type { Behavior } from './stub-provider-faults.js';

export interface Call {
  /** The path, or its pattern if it contains values. */
  path: string;
  /** Path and query as they were sent. */
  url: string;
  key: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  at: number;
}

/** An HTTP server that responds like the real weather and geocoding services: the stub provider. */
export interface StubProvider {
  /** The base URL, without a path; the same for every service. */
  readonly url: string;
  readonly port: number;
  readonly world: World;
  /** The calls since the start or the last reset, oldest first. */
  readonly calls: Call[];
  /** The number of calls of a path; with a key, only those of the key. */
  count(path: string, key?: string): number;
  /** Replaces the behaviors of a path. Without behaviors, the path sends its regular response. */
  behave(path: string, ...behaviors: Behavior[]): void;
  /** Does the same for the two weather providers of the default configuration. */
  behaveAll(...behaviors: Behavior[]): void;
  /** Restores regular responses, and removes all calls. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts a stub provider. @param host the address on which it listens: containers cannot reach 127.0.0.1 */
export async function startStubProvider(host = '127.0.0.1'): Promise<StubProvider> {
  const world = createWorld();
  const calls: Call[] = [];
  const behaviors = new Map<string, Behavior[]>();

  const next = (path: string, key: string): Behavior => {
    const applies = (entry: Behavior) => (entry.key ?? key) === key && (entry.times ?? 1) > 0;
    const found = behaviors.get(path)?.find(applies);
    if (found?.times !== undefined) found.times -= 1;
    return found ?? { kind: 'ok' };
  };
  const reset = () => {
    calls.length = 0;
    behaviors.clear();
    Object.assign(world, createWorld());
  };
  const behave = (path: string, ...list: Behavior[]) => {
    behaviors.set(path, structuredClone(list));
  };

  const server: Server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://stub-provider');
      const { path, query } = routeOf(url);
      const api = APIS[path];
      if (!api) {
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end('{"error":true,"reason":"Not Found"}');
        return;
      }
      const key = keyOf(query);
      calls.push({
        path,
        url: url.pathname + url.search,
        key,
        query: Object.fromEntries(query),
        headers: request.headers,
        at: Date.now(),
      });
      const behavior = next(path, key);
      if (behavior.delayMs) await sleep(behavior.delayMs, undefined, { ref: false });
      if (response.destroyed) return;
      const answer = api(query, world, request.headers);
      if (behavior.kind !== 'ok') {
        play(behavior, request, response, answer.body);
        return;
      }
      const isZipped = String(request.headers['accept-encoding']).includes('gzip');
      if (isZipped) response.setHeader('content-encoding', 'gzip');
      response.writeHead(answer.status, answer.headers);
      response.end(isZipped ? gzipSync(answer.body) : answer.body);
    })();
  });
  server.listen(0, host);
  await once(server, 'listening');
  const actual = (server.address() as AddressInfo).port;

  return {
    url: `http://127.0.0.1:${actual}`,
    port: actual,
    world,
    calls,
    count: (path, key) =>
      calls.filter((call) => call.path === path && (key ?? call.key) === call.key).length,
    behave,
    behaveAll(...list) {
      const { openMeteo, metNorway, metNorwayForecast } = PATHS;
      for (const path of [openMeteo, metNorway, metNorwayForecast]) behave(path, ...list);
    },
    reset,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
