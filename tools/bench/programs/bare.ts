/**
 * The baseline of the notes: Koa and its router respond with a small object. No limits, session, log, or store. Notes of the
 * benchmark give costs as multiples of the cost of this program.
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
