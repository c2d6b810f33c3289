/**
 * The second baseline: the same packages as in the service, each used as its documentation shows. It does the visible
 * work of the service with Redis: CORS with credentials, two limits, validation, a cached response, recent searches in
 * the session, a log record. It has no sliding windows, gazetteer, coalescing, stale responses, metrics, time limits,
 * and no handling of a failed Redis. Weather that is not cached is invented.
 */
import { createHash, randomUUID } from 'node:crypto';
import cors from '@koa/cors';
import Router from '@koa/router';
import { Redis } from 'ioredis';
import Joi from 'joi';
import Koa from 'koa';
import { createSession } from 'koa-session';
import { pino } from 'pino';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

interface Search {
  city: string;
  country: string;
}

const SESSION_MS = 86_400_000;
const redis = new Redis(process.env['REDIS_URL'] ?? '');
const log = pino();

const perIp = new RateLimiterRedis({
  storeClient: redis,
  keyPrefix: 'ip',
  points: 1_000_000_000,
  duration: 60,
});
const total = new RateLimiterRedis({
  storeClient: redis,
  keyPrefix: 'total',
  points: 1_000_000_000,
  duration: 3600,
});

const name = Joi.string()
  .trim()
  .max(100)
  .pattern(/^[\p{L}\p{M} '.-]+$/u)
  .required();
const query = Joi.object<Search>({ city: name, country: name });

const app = new Koa();
app.keys = [process.env['SESSION_SECRET_KEY'] ?? ''];

app.use(async (ctx, next) => {
  const started = Date.now();
  const requestId = ctx.get('X-Request-ID') || randomUUID();
  ctx.set('X-Request-ID', requestId);
  await next();
  log.info({
    event: 'weather_request',
    request_id: requestId,
    ip: ctx.ip,
    ...ctx.query,
    cache: ctx.response.get('X-Cache'),
    duration_ms: Date.now() - started,
    method: ctx.method,
    path: ctx.path,
    status: ctx.status,
  });
});

app.use(
  cors({
    origin: (ctx) => ctx.get('Origin'),
    credentials: true,
    exposeHeaders: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  }),
);

app.use(async (ctx, next) => {
  try {
    const result = await perIp.consume(ctx.ip);
    await total.consume('all');
    ctx.set('X-RateLimit-Limit', String(perIp.points));
    ctx.set('X-RateLimit-Remaining', String(result.remainingPoints));
    ctx.set('X-RateLimit-Reset', String(Math.ceil((Date.now() + result.msBeforeNext) / 1000)));
  } catch (rejected) {
    if (!(rejected instanceof RateLimiterRes)) throw rejected;
    ctx.set('Retry-After', String(Math.ceil(rejected.msBeforeNext / 1000)));
    ctx.status = 429;
    ctx.body = { error: 'Rate limit exceeded', message: 'Retry later.' };
    return;
  }
  await next();
});

app.use(
  createSession(
    {
      key: 'session',
      maxAge: SESSION_MS,
      // A search renews the session, as in the service.
      rolling: true,
      store: {
        async get(id) {
          const text = await redis.get(`session:${id}`);
          return text === null ? undefined : (JSON.parse(text) as Record<string, unknown>);
        },
        async set(id, data) {
          await redis.set(`session:${id}`, JSON.stringify(data), 'PX', SESSION_MS);
        },
        async destroy(id) {
          await redis.del(`session:${id}`);
        },
      },
    },
    app,
  ),
);

const router = new Router();
router.get('/api/v1/weather', async (ctx) => {
  const validated = query.validate(ctx.query);
  if (validated.error) {
    ctx.status = 400;
    ctx.body = { error: 'Missing required parameters', message: validated.error.message };
    return;
  }
  const { value } = validated;
  const key = `weather:${value.city.toLowerCase()}:${value.country.toLowerCase()}`;
  let text = await redis.get(key);
  ctx.set('X-Cache', text === null ? 'MISS' : 'HIT');
  if (text === null) {
    const weather = { temperature: 8.4, condition: 'Slight rain', humidity: 87, wind_speed: 11.2 };
    text = JSON.stringify({ fetchedAt: Date.now(), weather });
    await redis.set(key, text, 'EX', 300);
  }
  const { fetchedAt, weather } = JSON.parse(text) as { fetchedAt: number; weather: object };

  const session = ctx['session'] as { searches?: Search[] };
  const others = (session.searches ?? []).filter(
    ({ city, country }) => city !== value.city || country !== value.country,
  );
  session.searches = [value, ...others].slice(0, 10);

  const location = { ...value, latitude: null, longitude: null };
  const body = JSON.stringify({ location, ...weather });
  ctx.set('Age', String(Math.floor((Date.now() - fetchedAt) / 1000)));
  ctx.set('X-Weather-Provider', 'demo');
  ctx.set('X-Weather-Attribution', 'Invented weather for development: not real data');
  ctx.set('X-Weather-Code', '3');
  ctx.set('X-Weather-Is-Day', '1');
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.set('ETag', `W/"${createHash('sha1').update(body).digest('base64')}"`);
  ctx.type = 'application/json';
  ctx.body = body;
});
app.use(router.routes());
app.listen(Number(process.env['PORT']), '127.0.0.1');
