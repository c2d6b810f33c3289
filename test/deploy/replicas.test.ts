import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt, burst, startLoad, tally } from '../support/load.js';
import { CORS, corsOf, deploy, ORIGIN, SEATTLE, type Deployment } from './deployment.js';

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

describe('replicas behind nginx are one service', () => {
  const lifetime = suiteLifetime();
  let deployment: Deployment;
  let nginx: Deployment['nginx'];
  let replicas: Deployment['replicas'];
  let url: string;
  before(async () => {
    deployment = await deploy(lifetime, { RATE_LIMIT_PER_IP: '0', RATE_LIMIT_TOTAL: '0' });
    ({ nginx, replicas } = deployment);
    url = nginx.url + SEATTLE;
  });
  const shares = () => replicas.map((replica) => replica.of('weather_request').length);

  it('each replica gets its share of the requests', async () => {
    assert.deepEqual(tally(await burst([url])), { '200 MISS': 1 });
    assert.deepEqual(tally(await burst(Array<string>(59).fill(url))), { '200 HIT': 59 });
    for (const share of shares()) assert.ok(share >= 10, `of 60: ${shares().join(', ')}`);
  });

  it('a session is the same at all replicas', async () => {
    const earlier = shares();
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
    const took = shares().filter((share, index) => share > (earlier[index] ?? 0));
    assert.equal(took.length, 3);
  });

  it('they are replaced one by one without a lost request', async (t) => {
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

  it('without any replica nginx answers itself, in the form of all errors', async () => {
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

  it('and passes requests on again by itself when they are back', async () => {
    await Promise.all(replicas.map((_, index) => deployment.replace(index)));
    await eventually(async () => (await attempt(url)).status === 200, 'an answer by the service');
  });
});
