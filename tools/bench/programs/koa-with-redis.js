import process from 'node:process';
import { Redis } from 'ioredis';
import Koa from 'koa';

/** The least that Koa and Redis do for a hit: one read, and the stored text as the response. */

const redis = new Redis(process.env.REDIS_URL);
const body = {
  location: { city: 'Seattle', country: 'USA', latitude: null, longitude: null },
  temperature: 8.4,
  condition: 'Slight rain',
  humidity: 87,
  wind_speed: 11.2,
};
await redis.set('weather', JSON.stringify(body));

const app = new Koa();
app.use(async (ctx) => {
  ctx.type = 'json';
  ctx.body = await redis.get('weather');
});
app.listen(Number(process.env.PORT), '127.0.0.1');
