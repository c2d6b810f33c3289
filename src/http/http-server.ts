import { existsSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createBoundedServer, type BoundedServer } from '../process/bounded-server.js';
import { BODY_MS } from './input/json-body.js';
import { createRequestQueue } from './request-queue.js';

/** Milliseconds to the end of the headers, from the first byte or the connection. */
const HEADERS_MS = 15_000;
/** Milliseconds after the 408 of `json-body.ts` until Node.js closes a request with a late body. */
const AFTER_BODY_MS = 5000;
/**
 * Longer than proxies keep idle connections (nginx, ALB: 60 s; Traefik: 90 s; Google Cloud: 600 s),
 * so no request meets a connection that closes. For Envoy: docs/operations/deploy.md.
 */
const KEEP_ALIVE_TIMEOUT_MS = 620_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** The paths of the probes. A platform restarts a process whose probes wait too long. */
const PROBES = '/api/v1/health/';
/** File descriptors that are reserved for connections to Redis and to providers, and for files. */
const RESERVED_DESCRIPTORS = 64;
const LIMITS_FILE = '/proc/self/limits';

/**
 * Creates the server of the API.
 * @param idleTimeoutMs milliseconds without progress after which a request in flight is closed
 */
export function createHttpServer(listener: RequestListener, idleTimeoutMs: number): BoundedServer {
  const queue = createRequestQueue();
  const boundedServer = createBoundedServer(
    (request, response) => {
      // A waiting request has no timeout: a process that gets little CPU still responds.
      const begin = () => {
        request.socket.setTimeout(idleTimeoutMs);
        listener(request, response);
      };
      if (request.url?.startsWith(PROBES)) queue.addProbe(begin);
      else queue.add(request, begin);
    },
    {
      maxConnections: maxConnections(),
      headersTimeout: HEADERS_MS,
      requestTimeout: HEADERS_MS + BODY_MS + AFTER_BODY_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // The default finds a slow client only up to half a minute later.
      connectionsCheckingInterval: 1000,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
  );
  const { server } = boundedServer;
  server.on('connection', queue.connectionAccepted);
  // By default, Node.js drops lines after the thousandth, such as that of the trusted proxy.
  server.maxHeadersCount = 0;
  return boundedServer;
}

function maxConnections(): number {
  // Only Linux has this file.
  const limits = existsSync(LIMITS_FILE) ? readFileSync(LIMITS_FILE, 'utf8') : '';
  const [, soft = Infinity] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return Math.max(Number(soft) - RESERVED_DESCRIPTORS, Math.floor(Number(soft) / 2));
}
