import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import type { Lifetime } from '../support/lifetime.js';
import { listenLocally } from '../support/listen-locally.js';
import { attempt, burst, type Reply } from '../support/load.js';
import { startNginx } from '../support/nginx.js';

const FORECAST = '/api/v1/forecast/coordinates?lat=52.52&lon=13.41';
const WEATHER = '/api/v1/weather?city=Berlin&country=Germany';
const TAG = 'W/"a-tag"';

const unixSeconds = () => Math.floor(Date.now() / 1000);

/** The headers of a public response whose data was fetched just now. */
const publicHeaders = (more: OutgoingHttpHeaders = {}): OutgoingHttpHeaders => ({
  'Cache-Control': 'public, max-age=1800, stale-while-revalidate=5, stale-if-error=3600',
  'X-Accel-Expires': '1800',
  'X-Accel-Fetched-At': String(unixSeconds()),
  Age: '0',
  ETag: TAG,
  Vary: 'Origin',
  ...more,
});

/** A response of the stub replica. Its body is the number of the request. */
interface StubResponse {
  status?: number;
  headers?: OutgoingHttpHeaders;
  /** The response is sent after this. */
  after?: Promise<unknown>;
  /** The connection is closed instead. */
  closes?: boolean;
}

/**
 * Starts nginx in front of a stub replica.
 * @param respond the response to the n-th request
 */
async function startCache(t: Lifetime, respond: (n: number) => StubResponse) {
  const received: IncomingHttpHeaders[] = [];
  const replica = await listenLocally(t, async (request, response) => {
    if (request.url?.includes('/health/')) return response.end();
    const count = received.push(request.headers);
    const { status = 200, headers = publicHeaders(), after, closes } = respond(count);
    await after;
    if (closes) return request.socket.destroy();
    const body = `${count}`;
    const common = { 'X-Request-ID': 'stored', 'Content-Length': body.length };
    return response.writeHead(status, { ...common, ...headers }).end(body);
  });
  const nginx = await startNginx(t, { replicas: [replica] });
  const get = (target: string, headers: Record<string, string> = {}) =>
    attempt(nginx.url + target, { headers });
  const twenty = (target: string) => burst(Array.from({ length: 20 }, () => nginx.url + target));
  return { ...nginx, received, get, twenty };
}

const outcomeOf = ({ headers }: Reply) => headers['x-cache-proxy'];
const bodiesOf = (replies: Reply[]) => [...new Set(replies.map(({ text }) => text))];

describe('a public response behind nginx', () => {
  it('is fetched by one request, however many wait for it', async (t) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { received, twenty } = await startCache(t, () => ({ after: released }));
    const replies = twenty(FORECAST);
    await eventually(() => received.length === 1, 'a request');
    release();
    assert.deepEqual(bodiesOf(await replies), ['1']);
    assert.equal(received.length, 1);
  });

  it('is fetched by one request after it has expired, and no other waits', async (t) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const nginx = await startCache(t, (n) =>
      n === 1 ? { headers: publicHeaders({ 'X-Accel-Expires': '1' }) } : { after: released },
    );
    const { received, get, twenty } = nginx;
    const waiting = eventually(async () => (await get(FORECAST)).text === '2', 'a new response');
    await eventually(() => received.length === 2, 'a second request');
    const meanwhile = await twenty(FORECAST);
    assert.deepEqual(bodiesOf(meanwhile), ['1']);
    assert.deepEqual([...new Set(meanwhile.map(outcomeOf))], ['UPDATING']);
    release();
    await waiting;
    assert.equal(received.length, 2);
    const updating = (await nginx.records()).filter(({ cache }) => cache === 'UPDATING');
    assert.deepEqual([...new Set(updating.map((record) => record['served_by']))], ['cache']);
  });

  it('is not used after stale-while-revalidate, while another request waits for the service', async (t) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const brief = publicHeaders({
      'Cache-Control': 'public, max-age=1, stale-while-revalidate=1, stale-if-error=3600',
      'X-Accel-Expires': '1',
    });
    const { received, get } = await startCache(t, (n) =>
      n === 1 ? { headers: brief } : n === 2 ? { after: released } : {},
    );
    const waiting = eventually(async () => (await get(FORECAST)).text === '2', 'a new response');
    await eventually(() => received.length === 2, 'a second request');
    await eventually(async () => {
      const meanwhile = await get(FORECAST);
      return meanwhile.text === '3' && outcomeOf(meanwhile) === 'EXPIRED';
    }, 'a request that is passed on');
    release();
    await waiting;
  });

  it('is not used after stale-while-revalidate, while requests above a limit are rejected', async (t) => {
    const { get } = await startCache(t, (n) =>
      n === 1
        ? { headers: publicHeaders({ 'X-Accel-Expires': '1' }) }
        : { status: 429, headers: { 'Cache-Control': 'no-store' } },
    );
    await eventually(async () => (await get(FORECAST)).status === 429, 'a rejection');
    await eventually(async () => {
      const replies = await Promise.all(Array.from({ length: 24 }, () => get(FORECAST)));
      return replies.every(({ status }) => status === 429);
    }, 'the end of stale-while-revalidate');
  });

  it('is sent in full to a request with If-Match, If-Unmodified-Since, or Range', async (t) => {
    const { get } = await startCache(t, () => ({
      headers: publicHeaders({ 'Last-Modified': 'Sat, 28 Nov 2026 00:00:00 GMT' }),
    }));
    assert.equal(outcomeOf(await get(FORECAST)), 'MISS');
    for (const headers of [
      { 'If-Match': '"other"' },
      { 'If-Match': TAG },
      { 'If-Unmodified-Since': 'Fri, 01 Jan 2021 00:00:00 GMT' },
      { Range: 'bytes=5-9' },
      { Range: 'bytes=0-0' },
    ]) {
      const { status, text } = await get(FORECAST, headers);
      assert.deepEqual([status, text.length], [200, 1], JSON.stringify(headers));
    }
    // No variable of nginx shows a header without a value.
    for (const headers of [{ 'If-Match': '' }, { 'If-Unmodified-Since': '' }]) {
      const { status, json } = await get(FORECAST, headers);
      assert.equal(status, 412);
      assert.equal((json as { error: string }).error, 'Precondition failed');
    }
    assert.equal(outcomeOf(await get(FORECAST)), 'HIT');
  });

  it('is stored once for each scheme, however a client spells it', async (t) => {
    const { received, get } = await startCache(t, () => ({}));
    for (const [scheme, sent] of [
      ['https', 'https, http'],
      ['HTTPS', 'https, http'],
      ['ftp,https ', 'https, http'],
      ['http', 'http, http'],
      ['x'.repeat(3000), 'http, http'],
      ['https ,http', 'https, http, http'],
      ['x,http,https', 'http, https, http'],
    ] as const) {
      await get(FORECAST, { 'X-Forwarded-Proto': scheme });
      await get(WEATHER, { 'X-Forwarded-Proto': scheme });
      assert.equal(received.at(-1)?.['x-forwarded-proto'], sent);
    }
    const forPublic = received.length - 7;
    assert.equal(forPublic, 4);
  });

  it('is stored per query, Vary, and scheme, and for clients with and without a cookie', async (t) => {
    const { received, get } = await startCache(t, () => ({}));
    const keys: [string, Record<string, string>][] = [
      [FORECAST, {}],
      [`${FORECAST}&days=3`, {}],
      [FORECAST, { Origin: 'https://app.example' }],
      [FORECAST, { Origin: 'https://other.example' }],
      [FORECAST, { 'X-Forwarded-Proto': 'https' }],
    ];
    for (const outcome of ['MISS', 'HIT']) {
      for (const [target, headers] of keys) {
        assert.equal(outcomeOf(await get(target, headers)), outcome, JSON.stringify(headers));
      }
    }
    const reply = await get(FORECAST, { Cookie: 'session=1', Authorization: 'Bearer 1' });
    assert.deepEqual([outcomeOf(reply), reply.text], ['HIT', '1']);
    assert.equal(received.length, keys.length);
  });

  it('has the ID of its request, and no headers that only nginx reads', async (t) => {
    const nginx = await startCache(t, () => ({}));
    for (const [id, outcome, by] of [
      ['first', 'MISS', 'service'],
      ['second', 'HIT', 'cache'],
    ] as const) {
      const { headers } = await nginx.get(FORECAST, { 'X-Request-ID': id });
      assert.deepEqual([headers['x-request-id'], headers['x-cache-proxy']], [id, outcome]);
      const ours = Object.keys(headers).filter((name) => name.startsWith('x-accel'));
      assert.deepEqual(ours, []);
      await eventually(
        async () =>
          (await nginx.records()).some(
            (record) =>
              record['request_id'] === id &&
              record['cache'] === outcome &&
              record['served_by'] === by,
          ),
        `the record of the ${id} request`,
      );
    }
  });

  it('answers HEAD and If-None-Match from the cache, also if the cache is empty', async (t) => {
    const { url, received, get } = await startCache(t, () => ({}));
    const head = await attempt(url + FORECAST, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text, outcomeOf(head)], [200, '', 'MISS']);
    assert.equal((await get(FORECAST)).text, '1');
    for (const [target, outcome] of [
      [FORECAST, 'HIT'],
      [`${FORECAST}&days=2`, 'MISS'],
    ] as const) {
      const reply = await get(target, { 'If-None-Match': `"other", ${TAG}` });
      assert.deepEqual([reply.status, reply.text, outcomeOf(reply)], [304, '', outcome]);
      assert.equal(reply.headers.etag, TAG);
      assert.equal(outcomeOf(await get(target, { 'If-None-Match': '"other"' })), 'HIT');
    }
    assert.deepEqual(bodiesOf([await get(FORECAST)]), ['1']);
    assert.equal(received.length, 2);
  });

  it('is served stale while the service is unavailable, until stale-if-error ends', async (t) => {
    const { get } = await startCache(t, (n) => ({
      headers: publicHeaders({
        'Cache-Control': 'public, max-age=1, stale-if-error=4',
        'X-Accel-Expires': '1',
      }),
      closes: n > 1,
    }));
    assert.equal(outcomeOf(await get(FORECAST)), 'MISS');
    const outcomes = new Set<string>();
    await eventually(async () => {
      const reply = await get(FORECAST);
      outcomes.add(`${reply.status} ${outcomeOf(reply)?.toString() ?? 'none'}`);
      return reply.status === 502;
    }, 'the end of the stale response');
    outcomes.delete('200 HIT');
    assert.deepEqual([...outcomes], ['200 STALE', '502 none']);
  });
});

describe('nginx', () => {
  it('stores no response that is private, has a cookie, is an error, or is about one client', async (t) => {
    const kinds: StubResponse[] = [
      { headers: publicHeaders({ 'Cache-Control': 'private, no-cache', 'X-Accel-Expires': [] }) },
      { headers: publicHeaders({ 'Set-Cookie': 'session=1' }) },
      { headers: publicHeaders({ 'X-RateLimit-Limit': '30' }) },
      { headers: publicHeaders({ 'X-Accel-Expires': '0' }) },
      { headers: publicHeaders({ Vary: '*' }) },
      ...[400, 404, 429, 500, 503].map((status) => ({
        status,
        headers: { 'Cache-Control': 'no-store' },
      })),
    ];
    for (const kind of kinds) {
      const { received, get } = await startCache(t, () => kind);
      for (const body of ['1', '2']) {
        const reply = await get(FORECAST);
        assert.equal(reply.status, kind.status ?? 200);
        assert.equal(reply.text, body, JSON.stringify(kind));
      }
      assert.equal(received.length, 2);
    }
  });

  it('passes private requests on, all at the same time and with their conditions', async (t) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const headers = { 'Cache-Control': 'private, no-cache', Age: '17' };
    const { received, get } = await startCache(t, () => ({ headers, after: released }));
    const replies = [1, 2].map(() => get(WEATHER, { 'If-None-Match': TAG }));
    await eventually(() => received.length === 2, 'both requests');
    release();
    for (const reply of await Promise.all(replies)) {
      assert.deepEqual([outcomeOf(reply), reply.headers.age], [undefined, '17']);
    }
    assert.equal(received[0]?.['if-none-match'], TAG);
  });
});

describe('the Age of a stored response', () => {
  it('counts from the fetch', async (t) => {
    let fetchedAt = 0;
    const { get } = await startCache(t, () => ({
      headers: publicHeaders({ 'X-Accel-Fetched-At': String(fetchedAt) }),
    }));
    const ages = [0, 9, 10, 99, 100, 1799, 5400, 90_000, 123_456, 899_900];
    for (const age of [...ages, ...Array.from({ length: 50 }, (_, n) => (n + 1) * 17_377)]) {
      fetchedAt = unixSeconds() - age;
      for (const outcome of ['MISS', 'HIT']) {
        const earliest = unixSeconds() - fetchedAt;
        const reply = await get(`${FORECAST}&age=${age}`);
        const latest = unixSeconds() - fetchedAt;
        assert.equal(outcomeOf(reply), outcome);
        const shown = Number(reply.headers.age);
        assert.ok(earliest <= shown && shown <= latest, `${age}: ${reply.headers.age}`);
        assert.equal(reply.headers.age, String(shown));
      }
    }
  });

  it('is 0 if the clock of the service is ahead', async (t) => {
    const ahead = String(unixSeconds() + 100);
    const headers = publicHeaders({ 'X-Accel-Fetched-At': ahead });
    const { get } = await startCache(t, () => ({ headers }));
    assert.equal((await get(FORECAST)).headers.age, '0');
    assert.equal((await get(FORECAST)).headers.age, '0');
  });
});
