import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask } from '../support/http-client.js';
import { createRandom } from '../support/random.js';
import { freePort } from '../support/redis-server.js';
import { SEED } from '../support/seed.js';
import { startReplica } from '../support/service.js';
import { SERVED, SHAPES } from './shapes.js';
import { damaged, throwAt } from './wire.js';

/** Number of connections. The nightly run sets more. */
const CONNECTIONS = Number(process.env['FUZZ_CONNECTIONS'] ?? 600);
const AT_ONCE = 20;
const LINES = 'Host: x\r\nOrigin: https://a.example\r\n';
const JSON_BODY = '{"city":"Oslo","country":"Norway"}';
const TARGETS = [
  '/api/v1/weather?city=Oslo&country=Norway',
  '/api/v1/weather/coordinates?lat=59.9&lon=10.7',
  '/api/v1/places?q=os',
  '/api/v1/recent-searches',
  '/api/v1/health/ready',
  '/',
  '/openapi.json',
  '/metrics',
  '/readyz',
  '/healthz',
  'http://a/api/v1/health',
];
const POST = `POST /api/weather HTTP/1.1\r\n${LINES}Content-Type: application/json\r\n`;
const REQUESTS = [
  ...TARGETS.map((target) => `GET ${target} HTTP/1.1\r\n${LINES}\r\n`),
  `${POST}Content-Length: ${JSON_BODY.length}\r\n\r\n${JSON_BODY}`,
  `${POST}Transfer-Encoding: chunked\r\n\r\n22\r\n${JSON_BODY}\r\n0\r\n\r\n`,
  `DELETE /api/v1/recent-searches HTTP/1.1\r\n${LINES}\r\n`,
  `OPTIONS /api/weather HTTP/1.1\r\n${LINES}Access-Control-Request-Method: GET\r\n\r\n`,
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n',
  `GET /api/health HTTP/1.1\r\n${LINES}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  `GET /api/health HTTP/1.1\r\n${LINES}Expect: x\r\n\r\n`,
  'garbage\r\n\r\n',
];

describe('damaged, split, pipelined, and reset requests', () => {
  it('leave both ports available, without an ERROR or a line that is not a record', async (t) => {
    const random = createRandom(SEED);
    const metricsPort = await freePort();
    const service = await startReplica({
      WEATHER_PROVIDERS: 'demo',
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'DEBUG',
    });
    t.after(() => service.stop());
    const publicPort = Number(new URL(service.url).port);
    const shapes = [...SHAPES, ...SERVED].map(({ bytes }, n) => bytes('', n));
    for (let sent = 0; sent < CONNECTIONS; sent += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, () => {
          const requests = Array.from({ length: random.between(1, 3) }, () =>
            damaged(random.chance(0.9) ? random.pick(REQUESTS) : random.pick(shapes), random),
          );
          const port = random.chance(0.8) ? publicPort : metricsPort;
          return throwAt(port, requests.join(''), random);
        }),
      );
      // The next client gets its response, whatever was sent before.
      const live = await ask(`${service.url}/api/v1/health/live`);
      const { status, text } = await ask(`http://127.0.0.1:${metricsPort}/healthz`);
      assert.deepEqual([live.status, status, text], [200, 200, 'ok\n'], `after ${sent} of ${SEED}`);
    }
    assert.equal(service.child.exitCode, null);
    assert.deepEqual(service.noise, []);
    assert.deepEqual(
      service.records.filter(({ level }) => level === 'ERROR'),
      [],
    );
  });
});
