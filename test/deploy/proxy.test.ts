import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { cookieOf } from '../support/cookies.js';
import { ask } from '../support/http-client.js';
import { attempt, burst, type Reply, startLoad, tally } from '../support/load.js';
import { type Nginx, startNginx } from '../support/nginx.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import type { Service } from '../support/service.js';
import { type Processes, startProcesses } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';
import { environmentHere, readCompose } from './compose-file.js';

const ORIGIN = 'https://app.example';
const CORS = {
  'access-control-allow-origin': ORIGIN,
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
  'access-control-max-age': '3600',
  'access-control-expose-headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-ID, X-Cache, Age',
};
const SEATTLE = '/api/v1/weather?city=Seattle&country=USA';

interface Deployment {
  nginx: Nginx;
  processes: Processes;
  /** The replicas that run, in the order of their ports. */
  replicas: Service[];
  /** Starts a replica in the place of one that has ended. */
  replace(index: number): Promise<void>;
}

/** docker-compose.yml on this machine: its Redis, replicas, worker and nginx, by its own files. */
async function deploy(t: TestContext, variables: Record<string, string>): Promise<Deployment> {
  const file = readCompose({ CORS_ORIGINS: ORIGIN, ...variables });
  const redis = await startRedis({ args: file.services['redis']?.command?.slice(1) ?? [] });
  const processes = await startProcesses(t, { replicas: 0, workers: 0, store: redis });
  const api = environmentHere(file, 'api', redis.port);
  const count = file.services['api']?.deploy?.replicas ?? 0;
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const start = async (index: number): Promise<Service> => {
    const providers = { WEATHER_PROVIDERS: 'open-meteo,met-norway' };
    const replica = await processes.addReplica({
      ...api,
      ...providers,
      PORT: String(ports[index]),
    });
    await becomesReady(replica);
    return replica;
  };
  const replicas = await Promise.all(ports.map((_, index) => start(index)));
  await processes.addWorker({
    ...environmentHere(file, 'worker', redis.port),
    WEATHER_PROVIDERS: 'open-meteo,met-norway',
  });
  const corsOrigins = file.services['nginx']?.environment?.['CORS_ORIGINS'] ?? '';
  const nginx = await startNginx({ replicas: replicas.map(({ url }) => url), corsOrigins });
  t.after(() => nginx.stop());
  return {
    nginx,
    processes,
    replicas,
    async replace(index) {
      replicas[index] = await start(index);
    },
  };
}

/** The headers of a reply that are about other origins; one that came twice has both values. */
function corsOf({ headers }: Reply): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-')),
  );
}

/** One client that posts one search after the other; tells what each came to. */
function startPosting(t: TestContext, url: string): { stop(): Promise<(number | string)[]> } {
  const outcomes: (number | string)[] = [];
  const ending = new AbortController();
  t.after(() => {
    ending.abort();
  });
  const running = (async () => {
    while (!ending.signal.aborted) {
      try {
        const body = { city: 'Seattle', country: 'USA' };
        outcomes.push((await ask(url, { method: 'POST', body })).status);
      } catch (error) {
        outcomes.push(String(error));
      }
      await sleep(5);
    }
  })();
  return {
    async stop() {
      ending.abort();
      await running;
      return outcomes;
    },
  };
}

const from = (localAddress: string) => new Agent({ localAddress });

it('behind nginx, the service as it is deployed', async (t) => {
  const { nginx, processes, replicas } = await deploy(t, { RATE_LIMIT_TOTAL: '0' });
  const url = nginx.url + SEATTLE;

  await t.test(
    'limits each client by itself, whatever it writes into X-Forwarded-For',
    async () => {
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
      const ips = replicas.flatMap((replica) => replica.of('weather_request')).map(({ ip }) => ip);
      assert.deepEqual([...new Set(ips)].sort(), ['127.0.0.2', '127.0.0.3']);
    },
  );

  await t.test('passes the errors of the service on, with the CORS headers once', async () => {
    const agent = from('127.0.0.4');
    const headers = { Origin: ORIGIN };
    const found = await attempt(url, { agent, headers });
    assert.deepEqual([found.status, corsOf(found)], [200, CORS]);

    const paths = [PATHS.openMeteo, PATHS.metNorway];
    for (const path of paths) processes.upstream.behave(path, { kind: 'status', status: 500 });
    const failed = await attempt(nginx.url + placePath(1), { agent, headers });
    assert.deepEqual([failed.status, corsOf(failed)], [503, CORS]);
    assert.match(failed.text, /^\{"error":"Service unavailable","message":"The weather service is/);
    for (const path of paths) processes.upstream.behave(path);

    const body = { city: 'x'.repeat(20_000), country: 'y' };
    const large = await ask(`${nginx.url}/api/v1/weather`, { method: 'POST', body, headers });
    assert.equal(large.status, 413);
    assert.equal(large.headers['access-control-allow-origin'], ORIGIN);
    assert.match(large.text, /16/);
  });

  await t.test('tells the service the scheme, of which a client has no say', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' };
    const { headers: got } = await attempt(url, { agent: from('127.0.0.5'), headers });
    assert.doesNotMatch(String(got['set-cookie']), /secure/i);
  });
});

it('replicas behind nginx are one service', async (t) => {
  const deployment = await deploy(t, { RATE_LIMIT_PER_IP: '0', RATE_LIMIT_TOTAL: '0' });
  const { nginx, replicas } = deployment;
  const url = nginx.url + SEATTLE;
  const shares = () => replicas.map((replica) => replica.of('weather_request').length);

  await t.test('each gets its share of the requests', async () => {
    assert.deepEqual(tally(await burst([url])), { '200 MISS': 1 });
    assert.deepEqual(tally(await burst(Array<string>(59).fill(url))), { '200 HIT': 59 });
    for (const share of shares()) assert.ok(share >= 10, `of 60: ${shares().join(', ')}`);
  });

  await t.test('a session is the same at all of them', async () => {
    const before = shares();
    let cookie = '';
    const cities = ['Oslo', 'Bergen', 'Rome', 'Milan', 'Lima', 'Cairo', 'Tokyo', 'Osaka', 'Paris'];
    const countries = ['NO', 'NO', 'IT', 'IT', 'PE', 'EG', 'JP', 'JP', 'FR'];
    for (const [index, city] of cities.entries()) {
      const query = `city=${city}&country=${countries[index] ?? ''}`;
      const reply = await attempt(`${nginx.url}/api/v1/weather?${query}`, { headers: { cookie } });
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.headers['set-cookie'] !== undefined, index === 0);
      if (index === 0) cookie = cookieOf(reply);
    }
    const list = await attempt(`${nginx.url}/api/v1/recent-searches`, { headers: { cookie } });
    const { recent_searches: searches } = list.json as {
      recent_searches: { city: string }[];
    };
    assert.deepEqual(
      searches.map(({ city }) => city),
      cities.toReversed(),
    );
    const took = shares().filter((share, index) => share > (before[index] ?? 0));
    assert.equal(took.length, 3);
  });

  await t.test('they are replaced one by one without a lost request', async () => {
    const paths = [SEATTLE, '/api/v1/recent-searches', '/api/v1/health'];
    const load = startLoad(t, {
      clients: 8,
      next: (count) => nginx.url + (paths[count % paths.length] ?? ''),
    });
    const posting = startPosting(t, `${nginx.url}/api/v1/weather`);
    for (const [index, replica] of [...replicas].entries()) {
      assert.equal(await replica.stop(), 0);
      await deployment.replace(index);
    }
    const everyOneServes = () => shares().every((share) => share > 0);
    await eventually(everyOneServes, 'requests at every new replica');
    const [replies, posted] = [await load.stop(), await posting.stop()];
    assert.deepEqual(tally(replies.filter(({ status }) => status !== 200)), {});
    assert.deepEqual([...new Set(posted)], [200]);
    assert.ok(replies.length > 300 && posted.length > 30, `${replies.length}, ${posted.length}`);
  });

  await t.test('without any of them nginx answers itself, in the form of all errors', async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    const headers = { Origin: ORIGIN, 'X-Request-ID': 'kept-by-nginx.1' };
    const away = await attempt(url, { headers });
    assert.equal(away.status, 502);
    assert.deepEqual(corsOf(away), CORS);
    assert.equal(away.headers['content-type'], 'application/json');
    assert.equal(away.headers['retry-after'], '5');
    assert.equal(away.headers['x-request-id'], 'kept-by-nginx.1');
    assert.equal(away.headers.vary, 'Origin');
    assert.deepEqual(away.json, {
      error: 'Bad gateway',
      message: 'The service could not be reached. Please try again later.',
    });
    const records = await nginx.records();
    const { status, level, path, answered_by } =
      records.find((record) => record['request_id'] === 'kept-by-nginx.1') ?? {};
    assert.deepEqual(
      { status, level, path, answered_by },
      { status: 502, level: 'ERROR', path: '/api/v1/weather', answered_by: 'nginx' },
    );

    const strangers = ['null', 'https://app.example.evil', 'https://evil-app.example', 'x'];
    for (const origin of [...strangers, `${ORIGIN}, ${ORIGIN}`, `${ORIGIN} ${ORIGIN}`]) {
      const reply = await attempt(url, { headers: { Origin: origin } });
      assert.deepEqual([reply.status, corsOf(reply)], [502, {}], origin);
    }
  });

  await t.test('and passes requests on again by itself when they are back', async () => {
    await Promise.all(replicas.map((_, index) => deployment.replace(index)));
    await eventually(async () => (await attempt(url)).status === 200, 'an answer by the service');
  });
});

it('a request that a replica drops is answered by another, POST as well', async (t) => {
  // One reads the request and dies over it; the other answers.
  const dying = createServer((socket) => {
    socket.once('data', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  const living = createHttpServer((_request, response) => response.end('ok'));
  living.listen(0, '127.0.0.1');
  await Promise.all([once(dying, 'listening'), once(living, 'listening')]);
  t.after(() => {
    dying.close();
    living.close();
    living.closeAllConnections();
  });
  const urls = [dying, living].map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  const nginx = await startNginx({ replicas: urls });
  t.after(() => nginx.stop());
  for (const method of ['GET', 'POST', 'DELETE']) {
    // Whoever has failed is spared for two seconds; then it is tried once more.
    await eventually(async () => {
      assert.equal((await attempt(nginx.url, { method })).status, 200, method);
      return (await nginx.records()).some(
        (record) => record['method'] === method && String(record['upstream']).includes(', '),
      );
    }, `a ${method} that had to be sent twice`);
  }
});

it('nginx by itself', async (t) => {
  // Takes every connection and never says a word.
  const mute = createServer().listen(0, '127.0.0.1');
  await once(mute, 'listening');
  t.after(() => mute.close());
  const { port } = mute.address() as AddressInfo;
  const start = async (corsOrigins: string) => {
    const nginx = await startNginx({
      replicas: [`http://127.0.0.1:${port}`],
      corsOrigins,
      readTimeoutSeconds: 1,
    });
    t.after(() => nginx.stop());
    return nginx;
  };
  const nginx = await start(`https://other.example/, ${ORIGIN}`);

  await t.test('answers 504 when the service does not, in the form of all errors', async () => {
    const reply = await attempt(nginx.url + SEATTLE, { headers: { Origin: ORIGIN } });
    assert.deepEqual([reply.status, corsOf(reply)], [504, CORS]);
    assert.equal((reply.json as { error: string }).error, 'Gateway timeout');
    assert.equal(reply.headers['retry-after'], '5');
  });

  await t.test('answers what is no request, and what is too large, in that form, too', async () => {
    const broken: [string, string][] = [
      ['hello\r\n\r\n', 'Bad request'],
      ['GET / HTTP/1.1\r\n\r\n', 'Bad request'],
      [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'Request header fields too large'],
      ['GET /.nginx/502 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'Not found'],
      ['TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'Method not allowed'],
    ];
    for (const [text, title] of broken) {
      const socket = connect(Number(new URL(nginx.url).port), '127.0.0.1').setEncoding('utf8');
      socket.write(text);
      const answer = (await socket.toArray()).join('');
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { error: string };
      assert.equal(body.error, title);
    }
  });

  await t.test('answers 413 to a body that it does not pass on', async () => {
    const reply = await ask(nginx.url + SEATTLE, {
      method: 'POST',
      body: 'x'.repeat(70_000),
      headers: { Origin: 'https://other.example' },
    });
    assert.equal(reply.status, 413);
    assert.equal(reply.headers['access-control-allow-origin'], 'https://other.example');
    assert.equal(reply.headers['retry-after'], undefined);
    assert.equal((reply.json as { error: string }).error, 'Payload too large');
  });

  await t.test('with * allows every origin but null, and without origins none', async () => {
    const all = await start('*');
    const allowed = await attempt(all.url + SEATTLE, {
      headers: { Origin: 'https://any.example' },
    });
    assert.equal(corsOf(allowed)['access-control-allow-origin'], 'https://any.example');
    assert.deepEqual(corsOf(await attempt(all.url + SEATTLE, { headers: { Origin: 'null' } })), {});
    const none = await start('');
    assert.deepEqual(
      corsOf(await attempt(none.url + SEATTLE, { headers: { Origin: ORIGIN } })),
      {},
    );
  });
});
