import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { before, describe, it } from 'node:test';
import { ask } from '../support/http-client.js';
import { suiteLifetime } from '../support/lifetime.js';
import { eventually } from '../support/eventually.js';
import { attempt, type Reply } from '../support/load.js';
import { placePath } from '../support/places.js';
import { raw } from '../support/raw-request.js';
import { CORS, corsOf, deploy, ORIGIN, SEATTLE, type Deployment } from './deployment.js';

const from = (localAddress: string) => new Agent({ localAddress });

describe('the service behind nginx, as it is deployed', () => {
  const lifetime = suiteLifetime();
  let deployment: Deployment;
  let url: string;
  before(async () => {
    deployment = await deploy(lifetime, { RATE_LIMIT_TOTAL: '0' });
    url = deployment.nginx.url + SEATTLE;
  });

  it('limits each client separately, whatever it writes into X-Forwarded-For', async () => {
    const first: Reply[] = [];
    for (let n = 0; n < 31; n++) {
      const headers = { 'X-Forwarded-For': `198.51.100.${n}` };
      first.push(await attempt(url, { agent: from('127.0.0.2'), headers }));
    }
    // On a machine so busy that Redis seems away a replica admits its share only: never more.
    const admitted = first.filter(({ status }) => status === 200).length;
    const refused = first.filter(({ status }) => status === 429).length;
    assert.equal(admitted + refused, 31);
    assert.ok(admitted >= 1 && admitted <= 30, `${admitted} admitted`);
    assert.equal((await attempt(url, { agent: from('127.0.0.3') })).status, 200);
    const requests = () => deployment.replicas.flatMap((replica) => replica.of('weather_request'));
    // A record is written a moment after its answer.
    await eventually(() => requests().length === 32, 'the records of all requests');
    const ips = requests().map(({ ip }) => ip);
    assert.deepEqual([...new Set(ips)].sort(), ['127.0.0.2', '127.0.0.3']);
  });

  it('passes the errors of the service on, with the CORS headers once', async () => {
    const agent = from('127.0.0.4');
    const headers = { Origin: ORIGIN };
    const found = await attempt(url, { agent, headers });
    assert.deepEqual([found.status, corsOf(found)], [200, CORS]);

    const { nginx, processes } = deployment;
    processes.upstream.behaveAll({ kind: 'status', status: 500 });
    const failed = await attempt(nginx.url + placePath(1), { agent, headers });
    assert.deepEqual([failed.status, corsOf(failed)], [503, CORS]);
    assert.match(failed.text, /^\{"error":"Service unavailable","message":"The weather service is/);
    processes.upstream.behaveAll();

    const body = { city: 'x'.repeat(20_000), country: 'y' };
    const large = await ask(`${nginx.url}/api/v1/weather`, { method: 'POST', body, headers });
    assert.equal(large.status, 413);
    assert.equal(large.headers['access-control-allow-origin'], ORIGIN);
    assert.match(large.text, /16/);
  });

  it('passes HTTP/1.0 without a host on', async () => {
    const answer = await raw(deployment.nginx.url, 'GET /api/v1/health/live HTTP/1.0\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[^]*\{"status":"alive"\}$/);
  });

  it('learns the scheme from nginx, not from the client', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' };
    const { headers: got } = await attempt(url, { agent: from('127.0.0.5'), headers });
    assert.doesNotMatch(String(got['set-cookie']), /secure/i);
  });
});
