import { once } from 'node:events';
import http, { type Server } from 'node:http';
import { isIP } from 'node:net';
import type { DebugPages } from './debug.js';
import type { Metrics } from './metrics.js';
import { limitUnanswered } from './unanswered.js';

/** The health of a process whose only port is that of its metrics. */
export interface Health {
  isWell: () => boolean;
  /** Whether it has what it needs to begin. Never rejects. */
  isReady: () => boolean;
}

/** Serves `/metrics`, the debug pages, and `/healthz` and `/readyz` for processes without another port. */
export async function serveMetrics(
  metrics: Metrics,
  address: { host: string; port: number },
  health: Health,
  pages: DebugPages = {},
): Promise<Server> {
  const answerAll = limitUnanswered((request, response) => {
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'Content-Type': type }).end(body);
    };
    const tell = (type: string, text: Promise<string>) => {
      text.then(
        (body) => {
          answer(200, type, body);
        },
        () => {
          answer(500, 'text/plain', 'the answer could not be collected\n');
        },
      );
    };
    if (!isNear(request.headers.host)) {
      answer(
        403,
        'text/plain',
        'this Host is not served: ask by address, or by a name without a dot\n',
      );
      return;
    }
    const { url = '' } = request;
    const page = pages[url];
    if (url === '/healthz') {
      if (health.isWell()) answer(200, 'text/plain', 'ok\n');
      else answer(503, 'text/plain', 'the worker cannot take jobs\n');
    } else if (url === '/readyz') {
      if (health.isReady()) answer(200, 'text/plain', 'ok\n');
      else answer(503, 'text/plain', 'Redis has not been reached yet\n');
    } else if (url === '/metrics') {
      tell('text/plain; version=0.0.4; charset=utf-8', metrics.render());
    } else if (page) tell('application/json', page());
    else answer(404, 'text/plain', 'not found\n');
  });
  const server = http.createServer(answerAll);
  server.listen(address.port, address.host);
  await once(server, 'listening');
  return server;
}

/**
 * Whether a `Host` is an address, `localhost`, or a name without a dot. Any other may belong to a web page
 * that had its name lead here, to read this port with the browser of somebody who can reach it. Browsers
 * always send it.
 */
function isNear(host = 'localhost'): boolean {
  const name = host.replace(/:\d*$/, '');
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || /^[\w-]+$/.test(name);
}
