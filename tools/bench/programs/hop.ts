/** Takes what comes into a list of Redis and says so on a channel, as a worker does, and does nothing else. */
import { createServer } from 'node:http';
import { Redis } from 'ioredis';

const url = process.env['REDIS_URL'] ?? '';
const [taker, teller] = [new Redis(url), new Redis(url)];
// The benchmark sees by it that this process runs.
createServer((_request, response) => response.end()).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
);
for (;;) {
  const taken = await taker.brpop('hop', 1);
  if (taken) await teller.publish('hops', 'x');
}
