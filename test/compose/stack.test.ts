import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { get } from 'node:http';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { useComposedStack, SEATTLE } from './compose-stack.js';
import { IMAGES } from './docker.js';
import { whyNoEngine } from './engine.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, burst } from '../support/load.js';
import { placePath } from '../support/places.js';

const MB = 1024 * 1024;

/** Adds an IP address to this machine until the end of the test. */
function addAddress(t: TestContext, address: string): string {
  const asRoot = (command: string) => {
    if (process.getuid?.() === 0) execFileSync('sh', ['-c', command]);
    else execFileSync('sudo', ['-n', 'sh', '-c', command]);
  };
  // A container may have no IPv6 at first.
  asRoot('echo 0 > /proc/sys/net/ipv6/conf/lo/disable_ipv6');
  asRoot(`ip -6 address add ${address}/128 dev lo nodad`);
  t.after(() => {
    asRoot(`ip -6 address delete ${address}/128 dev lo`);
  });
  return address;
}

describe('the containers of the stack', { skip: whyNoEngine() ?? false }, () => {
  const used = useComposedStack({ RATE_LIMIT_PER_IP: '5' });
  const sh = (lines: string) => used.stack.sh(lines);

  it('log nothing but JSON', async () => {
    const log = await sh('docker compose logs --no-log-prefix api worker nginx');
    const lines = log.split('\n');
    assert.ok(lines.length >= 5, log);
    for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), line);
  });

  it("accept the file of the filter in front of Docker's socket", async () => {
    const file = '$PWD/k8s/observability/docker-proxy.conf:/etc/nginx/nginx.conf:ro';
    await sh(`docker run --rm -v "${file}" ${IMAGES.nginx} nginx -t`);
  });

  it('have a limit of processes, and nginx as many as its file says', async () => {
    const limits = await sh(
      `docker compose ps -q | xargs docker inspect --format '{{.Name}} {{.HostConfig.PidsLimit}}'`,
    );
    for (const line of limits.split('\n')) assert.match(line, / [1-9]\d*$/);
    const running = await sh('docker compose top nginx');
    assert.equal(running.match(/nginx: worker process/g)?.length, 4);
  });

  it('have a read-only file system and no capabilities', async () => {
    for (const service of ['api', 'worker', 'nginx']) {
      await assert.rejects(sh(`docker compose exec -T ${service} touch /written`), /Read-only/);
      const status = await sh(`docker compose exec -T ${service} cat /proc/1/status`);
      assert.match(status, /^CapEff:\t0+$/m, service);
      assert.match(status, /^NoNewPrivs:\t1$/m, service);
    }
  });

  it('count each IPv6 client separately', async (t) => {
    const { port } = used.stack;
    const server = addAddress(t, 'fd00:77:0:1::1');
    const ask = async (localAddress: string) => {
      const sent = get({ host: server, port, localAddress, path: SEATTLE, agent: false });
      const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
      response.resume();
      return response.statusCode;
    };
    // Two networks: all addresses of one network count as one client.
    const [first, second] = ['fd00:77:0:2::1', 'fd00:77:0:3::1'].map((each) => addAddress(t, each));
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await ask(first!));
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
    assert.equal(await ask(second!), 200);
  });

  it('stay below half of their memory under load', async (t) => {
    const { stack } = used;
    stack.set({ RATE_LIMIT_PER_IP: '0' });
    await sh('docker compose up -d --wait');
    for (let round = 0; round < 40; round += 1) {
      const urls = Array.from({ length: 50 }, (_, n) => stack.url + placePath(round * 50 + n));
      assertOutcomes(await burst(urls));
    }
    const stats = await sh(`docker stats --no-stream --format '{{.Name}} {{.MemUsage}}'`);
    t.diagnostic(stats.replaceAll('\n', '; '));
    for (const line of stats.split('\n')) {
      const [used = 0, limit = 0] = [...line.matchAll(/([\d.]+)(Mi|Gi)B/g)].map(
        ([, size, unit]) => Number(size) * (unit === 'Gi' ? 1024 * MB : MB),
      );
      assert.ok(used > 0 && used < limit / 2, line);
    }
  });

  it('keep sessions over down and up', async () => {
    const { url } = used.stack;
    const cookie = cookieOf(await attempt(url + SEATTLE));
    const searches = async () => {
      const { json, status } = await attempt(`${url}/api/v1/recent-searches`, {
        headers: { cookie },
      });
      return status === 200
        ? (json as { recent_searches: { city: string }[] }).recent_searches
        : [];
    };
    await eventually(async () => (await searches()).length === 1, 'the search');
    await sh('docker compose down && docker compose up -d --wait');
    assert.deepEqual(
      (await searches()).map(({ city }) => city),
      ['Seattle'],
    );
  });
});
