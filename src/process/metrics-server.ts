import { once } from 'node:events';
import http, { type Server } from 'node:http';
import type { Metrics } from './metrics.js';
import { limitUnanswered } from './unanswered.js';

/** The health of a process whose only port is that of its metrics. */
export interface Health {
  isWell: () => boolean;
  /** Whether it has what it needs to begin. Never rejects. */
  isReady: () => boolean;
}

/** Serves `/metrics`, and `/healthz` and `/readyz` for processes without another port. */
export async function serveMetrics(
  metrics: Metrics,
  address: { host: string; port: number },
  health: Health,
): Promise<Server> {
  const answerAll = limitUnanswered((request, response) => {
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'Content-Type': type }).end(body);
    };
    if (request.url === '/healthz') {
      if (health.isWell()) answer(200, 'text/plain', 'ok\n');
      else answer(503, 'text/plain', 'the worker cannot take jobs\n');
    } else if (request.url === '/readyz') {
      if (health.isReady()) answer(200, 'text/plain', 'ok\n');
      else answer(503, 'text/plain', 'Redis has not been reached yet\n');
    } else if (request.url === '/metrics') {
      metrics.render().then(
        (body) => {
          answer(200, 'text/plain; version=0.0.4; charset=utf-8', body);
        },
        () => {
          answer(500, 'text/plain', 'the metrics could not be collected\n');
        },
      );
    } else answer(404, 'text/plain', 'not found\n');
  });
  const server = http.createServer(answerAll);
  server.listen(address.port, address.host);
  await once(server, 'listening');
  return server;
}
