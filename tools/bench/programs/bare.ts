/**
 * The yardstick: Koa and its router answer a small object. No limits, no session, no log, no store.
 * Everything else is told as a multiple of what one request costs here.
 */
import Router from '@koa/router';
import Koa from 'koa';

const app = new Koa();
const router = new Router();
router.get('/api/v1/weather', (ctx) => {
  ctx.body = { city: 'Seattle', temperature: 8.4 };
});
app.use(router.routes());
app.listen(Number(process.env['PORT']), '127.0.0.1');
