/**
 * The minimal program: what Koa cannot do without to answer with the same visible work as the
 * service. All its response headers, a request id, one JSON log record a request (written in
 * batches), a session cookie that it has verified before, counters for both limits, recent searches.
 *
 * With REDIS_URL the counters and the session are in Redis: one script for both limits, then one for
 * session and search. Two trips, one after the other.
 *
 * It leaves out what makes the service one: the input's validation, the gazetteer, expiry of the
 * cached answer, exact windows (it counts in fixed ones), failures of Redis, metrics, time limits,
 * bounds of memory, and the cookie's signature when it sees one for the first time.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import Router from '@koa/router';
import { Redis } from 'ioredis';
import Koa, { type Context } from 'koa';

const LIMITS = { perIp: 1_000_000_000, total: 1_000_000_000 };
const FLUSH_BYTES = 16_384;
const FLUSH_MS = 200;

/** Both counters in one script: how many requests, and how long until the window ends. */
const COUNT = `
local counts = {}
for i, key in ipairs(KEYS) do
  counts[i] = redis.call('INCR', key)
  if counts[i] == 1 then redis.call('PEXPIRE', key, ARGV[i]) end
end
return {counts[1], counts[2], redis.call('PTTL', KEYS[1])}`;
/** The session is there and lives on; the search is its newest. */
const SEARCH = `
local known = redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('LREM', KEYS[2], 0, ARGV[1])
redis.call('LPUSH', KEYS[2], ARGV[1])
redis.call('LTRIM', KEYS[2], 0, 9)
redis.call('EXPIRE', KEYS[2], ARGV[2])
return known`;

interface Store {
  count(ip: string): Promise<[perIp: number, total: number, msLeft: number]>;
  search(session: string, search: string): Promise<unknown>;
}

function memoryStore(): Store {
  let counts = new Map<string, number>();
  let windowEnds = 0;
  const searches = new Map<string, string[]>();
  const add = (key: string) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
  return {
    count(ip) {
      const now = Date.now();
      if (now >= windowEnds) {
        counts = new Map();
        windowEnds = now + 60_000;
      }
      return Promise.resolve([add(ip), add('total'), windowEnds - now]);
    },
    search(session, search) {
      const others = (searches.get(session) ?? []).filter((other) => other !== search);
      searches.set(session, [search, ...others.slice(0, 9)]);
      return Promise.resolve();
    },
  };
}

function redisStore(url: string): Store {
  const redis = new Redis(url, { enableAutoPipelining: true });
  redis.defineCommand('countBoth', { numberOfKeys: 2, lua: COUNT });
  redis.defineCommand('addSearch', { numberOfKeys: 2, lua: SEARCH });
  const scripts = redis as unknown as Record<
    'countBoth' | 'addSearch',
    (...values: (string | number)[]) => Promise<unknown>
  >;
  return {
    count: (ip) =>
      scripts.countBoth(`ip:${ip}`, 'total', 60_000, 3_600_000) as Promise<
        [number, number, number]
      >,
    search: (session, search) => scripts.addSearch(`s:${session}`, `l:${session}`, search, 86_400),
  };
}

/** Log lines on their way: written when there are many, or after a fraction of a second. */
let lines = '';
function flush(): void {
  if (lines !== '') writeSync(1, lines);
  lines = '';
}
setInterval(flush, FLUSH_MS).unref();
function log(record: object): void {
  lines += `${JSON.stringify(record)}\n`;
  if (lines.length > FLUSH_BYTES) flush();
}

const store = process.env['REDIS_URL'] ? redisStore(process.env['REDIS_URL']) : memoryStore();
/** The cookies that were verified before, and whose sessions they are. */
const verified = new Map<string, string>();
const weather = { temperature: 8.4, condition: 'Slight rain', humidity: 87, wind_speed: 11.2 };
const fetchedAt = Date.now();

function sessionOf(ctx: Context): string {
  const cookie = ctx.get('Cookie');
  let session = verified.get(cookie);
  if (session === undefined) {
    session = randomUUID();
    if (cookie === '') ctx.set('Set-Cookie', `session=${session}; path=/; httponly`);
    else verified.set(cookie, session);
  }
  return session;
}

const app = new Koa();
const router = new Router();
router.get('/api/v1/weather', async (ctx) => {
  const [perIp, total, msLeft] = await store.count(ctx.ip);
  const remaining = Math.min(LIMITS.perIp - perIp, LIMITS.total - total);
  ctx.set('X-RateLimit-Limit', String(LIMITS.perIp));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(Math.ceil((Date.now() + msLeft) / 1000)));
  if (remaining < 0) ctx.throw(429);

  const { city, country } = ctx.query as { city: string; country: string };
  await store.search(sessionOf(ctx), JSON.stringify({ city, country }));
  ctx.set('X-Cache', 'HIT');
  ctx.set('Age', String(Math.floor((Date.now() - fetchedAt) / 1000)));
  ctx.set('X-Weather-Provider', 'demo');
  ctx.set('X-Weather-Attribution', 'Invented weather for development: not real data');
  ctx.set('X-Weather-Code', '3');
  ctx.set('X-Weather-Is-Day', '1');
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.set('ETag', 'W/"8d-0123456789abcdefghijklmnopq"');
  ctx.type = 'application/json';
  ctx.body = JSON.stringify({
    location: { city, country, latitude: null, longitude: null },
    ...weather,
  });
});

app.use(async (ctx, next) => {
  const started = performance.now();
  const requestId = ctx.get('X-Request-ID') || randomUUID();
  ctx.set('X-Request-ID', requestId);
  const origin = ctx.get('Origin');
  ctx.set('Vary', 'Origin');
  if (origin !== '') {
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Allow-Credentials', 'true');
    ctx.set('Access-Control-Allow-Methods', 'GET, POST, DELETE, OPTIONS');
    ctx.set('Access-Control-Allow-Headers', 'Content-Type, Authorization');
    ctx.set('Access-Control-Max-Age', '3600');
    ctx.set('Access-Control-Expose-Headers', 'X-RateLimit-Limit, X-RateLimit-Remaining');
  }
  await next();
  log({
    timestamp: new Date().toISOString(),
    level: 'INFO',
    event: 'weather_request',
    request_id: requestId,
    ip: ctx.ip,
    city: ctx.query['city'],
    country: ctx.query['country'],
    cache: 'HIT',
    provider: 'demo',
    duration_ms: Math.round(performance.now() - started),
    method: ctx.method,
    path: ctx.path,
    status: ctx.status,
  });
});
app.use(router.routes());
app.listen(Number(process.env['PORT']), '127.0.0.1');
