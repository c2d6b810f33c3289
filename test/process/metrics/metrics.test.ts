import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { connect } from 'node:net';
import { eventually } from '../../support/eventually.js';
import { suiteLifetime } from '../../support/lifetime.js';
import { callIn, post } from '../../support/mcp.js';
import { ask } from '../../support/http-client.js';
import { becomesReady } from '../../support/readiness.js';
import { freePort } from '../../support/redis-server.js';
import { startReplica, type Service } from '../../support/service.js';
import { startStack, type Stack } from '../../support/stack.js';

/** The value of a sample. Undefined: there is none. */
function sample(text: string, series: string): number | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('the metrics', () => {
  const lifetime = suiteLifetime();
  let stack: Stack;
  let replica: Service;
  let replicaPort: number;
  let workerPort: number;
  const scrape = (port: number, path = '/metrics') => ask(`http://127.0.0.1:${port}${path}`);

  before(async () => {
    [replicaPort, workerPort] = await Promise.all([freePort(), freePort()]);
    stack = await startStack(lifetime, { replicas: 0, workers: 0, env: { RUN_WORKER: 'false' } });
    replica = await stack.addReplica({
      ...{ MCP_ENABLED: 'true', RATE_LIMIT_PER_IP: '3', METRICS_PORT: String(replicaPort) },
    });
    await stack.addWorker({ METRICS_PORT: String(workerPort) });
    await becomesReady(replica);
  });

  it('count a call of a tool by the status of the request that it stands for', async () => {
    for (const q of ['osl', '<'])
      await post(replica.url, callIn('2025-11-25', 'find_places', { q }));
    const { text } = await scrape(replicaPort);
    for (const status of [200, 400]) {
      const series = `duration_seconds_count{route="/mcp",method="POST",status="${status}"} 1`;
      assert.ok(text.includes(series), series);
    }
  });

  it('count requests by route and status, cache outcomes, and rejections', async () => {
    const url = `${replica.url}/api/v1/weather?city=Oslo&country=Norway`;
    for (let i = 0; i < 4; i += 1) await ask(url);
    await ask(`${replica.url}/`, { headers: { Accept: 'text/html' } });
    const { text } = await scrape(replicaPort);
    const count = 'weather_http_request_duration_seconds_count';
    const labels = 'route="/api/v1/weather",method="GET"';
    assert.equal(sample(text, `${count}{${labels},status="200"}`), 3);
    assert.equal(sample(text, `${count}{${labels},status="429"}`), 1);
    assert.equal(sample(text, `${count}{route="/",method="GET",status="200"}`), 1);
    assert.equal(sample(text, 'weather_cache_outcomes_total{outcome="miss"}'), 1);
    assert.equal(sample(text, 'weather_cache_outcomes_total{outcome="hit"}'), 2);
    assert.equal(sample(text, 'weather_rate_limit_refusals_total{limit="per_ip"}'), 1);
    assert.ok(sample(text, 'weather_redis_command_duration_seconds_count')! > 0);
    assert.ok(text.includes('nodejs_eventloop_lag_seconds'));
  });

  it('count upstream calls in the process that makes them, the worker', async () => {
    const { text } = await scrape(workerPort);
    const calls = 'weather_upstream_request_duration_seconds_count';
    assert.equal(sample(text, `${calls}{provider="open-meteo",outcome="ok"}`), 1);
    assert.equal(sample(text, 'weather_breaker_open{provider="open-meteo"}'), 0);
    assert.equal(sample(text, 'weather_queue_waiting_jobs'), 0);
    assert.equal(sample(text, 'weather_queue_oldest_job_age_seconds'), 0);
  });

  it('count the rejections of a dry run separately, and the requests in flight', async () => {
    const port = await freePort();
    const dry = await startReplica({
      WEATHER_PROVIDERS: 'demo',
      RATE_LIMIT_PER_IP: '1',
      RATE_LIMIT_DRY_RUN: 'true',
      METRICS_PORT: String(port),
    });
    for (let i = 0; i < 3; i += 1) await ask(`${dry.url}/api/weather`);
    const { text } = await scrape(port);
    assert.equal(sample(text, 'weather_rate_limit_would_refuse_total{limit="per_ip"}'), 2);
    assert.equal(sample(text, 'weather_rate_limit_refusals_total{limit="per_ip"}'), 0);

    const inFlight = async () =>
      sample((await scrape(port)).text, 'weather_http_requests_in_flight');
    const socket = connect(Number(new URL(dry.url).port), '127.0.0.1');
    const head = 'POST /api/v1/weather HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    socket.write(`${head}Content-Length: 10\r\n\r\n{`);
    await eventually(async () => (await inFlight()) === 1, 'the request to be counted');
    socket.destroy();
    await eventually(async () => (await inFlight()) === 0, 'its end to be counted');
    await dry.stop();
  });

  it('are on their own port only, and never contain a value that a client chose', async () => {
    const mine = 'a-word-of-mine';
    const headers = { 'X-Request-ID': mine, 'User-Agent': mine, Authorization: `Bearer ${mine}` };
    // The route of the files of the page has a parameter.
    for (const target of [`/api/v1/${mine}`, `/page/${mine}.js`, `/api/v1/places?q=${mine}`]) {
      await ask(replica.url + target, { headers });
    }
    const { text } = await scrape(replicaPort);
    for (const value of [mine, 'Oslo', '127.0.0.1']) assert.ok(!text.includes(value), value);
    const files = 'http_request_duration_seconds_count{route="/page/:file",method="GET"';
    assert.ok(text.includes(`${files},status="404"} 1`));
    assert.equal((await ask(`${replica.url}/metrics`)).status, 404);
    assert.equal((await scrape(workerPort, '/other')).status, 404);
  });

  it('port reports a worker as ready after it has reached Redis, and not before', async () => {
    assert.equal((await scrape(workerPort, '/healthz')).status, 200);
    assert.equal((await scrape(workerPort, '/readyz')).status, 200);
    const [port, unusedPort] = [await freePort(), await freePort()];
    const nowhere = `redis://127.0.0.1:${unusedPort}`;
    await stack.addWorker({ REDIS_URL: nowhere, METRICS_PORT: String(port) });
    assert.equal((await scrape(port, '/healthz')).status, 200);
    assert.equal((await scrape(port, '/readyz')).status, 503);
  });
});
