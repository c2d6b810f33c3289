import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { weatherOf } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import type { Lifetime } from '../support/lifetime.js';
import { attempt, tally } from '../support/load.js';
import { freePort } from '../support/redis-server.js';
import { startReplica, type Service } from '../support/service.js';

const TARGET = weatherOf('Seattle', 'USA');
const LIVE = '/api/v1/health/live';
/** Timeout of the liveness probe in k8s/base/api.yaml. */
const PROBE_LIMIT_MS = 3000;

async function startDemo(t: Lifetime): Promise<Service & { metrics: () => Promise<string> }> {
  const metricsPort = String(await freePort());
  const service = await startReplica({ WEATHER_PROVIDERS: 'demo', METRICS_PORT: metricsPort });
  t.after(() => service.stop());
  assert.equal((await ask(service.url + TARGET)).status, 200);
  const metrics = async () => (await ask(`http://127.0.0.1:${metricsPort}/metrics`)).text;
  return Object.assign(service, { metrics });
}

/**
 * Clients that pipeline many requests, and send one more for each response.
 * @returns the number of responses by status
 */
function pipeline(t: Lifetime, url: string, clients: number, ahead: number) {
  const request = `GET ${TARGET} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const statuses: Record<string, number> = {};
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: clients }, () => {
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    socket.on('error', () => undefined);
    let rest = '';
    socket.on('data', (chunk: string) => {
      const heads = (rest + chunk).split('HTTP/1.1 ');
      // The start of an incomplete head is kept for the next chunk.
      rest = heads.pop() ?? '';
      for (const head of heads) {
        const status = head.slice(0, 3);
        if (/^\d/.test(status)) statuses[status] = (statuses[status] ?? 0) + 1;
      }
      socket.write(request.repeat(heads.length));
    });
    socket.write(request.repeat(ahead));
    return socket;
  });
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.after(end);
  return { statuses, end };
}

describe('a replica whose load is several times its capacity', () => {
  it('sheds the excess, responds to its probes, and counts and logs each shed request', async (t) => {
    const service = await startDemo(t);
    const refused = () => service.records.filter(({ status }) => status === 503);
    // The load grows beyond the capacity of this machine.
    const loads: ReturnType<typeof pipeline>[] = [];
    const addLoad = () => loads.push(pipeline(t, service.url, 8, 60));
    const responses = (status: string) =>
      loads.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0);
    while (refused().length === 0) {
      assert.ok(loads.length < 100, 'no request is shed');
      addLoad();
      await sleep(500);
    }

    // Twice the load at which the first request was shed.
    for (let n = loads.length; n > 0; n -= 1) addLoad();
    const usefulBefore = responses('200');
    const shedBefore = responses('503');
    const probes = [];
    for (let n = 0; n < 20; n += 1) {
      probes.push(attempt(service.url + LIVE, { timeoutMs: PROBE_LIMIT_MS }));
      await sleep(250);
    }
    assert.deepEqual(tally(await Promise.all(probes)), { '200': 20 });
    const useful = responses('200') - usefulBefore;
    const shed = responses('503') - shedBefore;
    assert.ok(shed > 0 && useful > shed, `${useful} useful responses, ${shed} shed requests`);

    for (const load of loads) load.end();
    const counted = async () => {
      const counter = /^weather_overload_refusals_total (\d+)$/m.exec(await service.metrics());
      return Number(counter?.[1]) === refused().length;
    };
    await eventually(counted, 'a record for each shed request');
    assert.equal((await ask(service.url + TARGET)).status, 200);
  });
});
