import { Agent, get } from 'node:http';

/**
 * Runs in a pod, where the ingress controller would be: six clients ask the Service for weather, three of them
 * over a new connection each time. Each request comes from another address, as `X-Forwarded-For` says,
 * and one in ten is for a new place. Prints every half second how many were sent, answered by 200, and what became of
 * the others.
 */
const TARGET = process.env['TARGET'] ?? '';
const PAUSE_MS = 100;
const TIMEOUT_MS = 30_000;

const tally = { sent: 0, ok: 0, failed: {} as Record<string, number> };

function path(): string {
  // Where there is land, and with it a city.
  const between = (low: number, high: number) => (low + Math.random() * (high - low)).toFixed(2);
  return tally.sent % 10 === 0
    ? `/api/v1/weather/coordinates?lat=${between(46, 52)}&lon=${between(8, 30)}`
    : '/api/v1/weather?city=Seattle&country=USA';
}

function ask(agent: Agent | false): Promise<string> {
  const byte = () => Math.floor(Math.random() * 256);
  const headers = { 'X-Forwarded-For': `198.18.${byte()}.${byte()}` };
  return new Promise((resolve) => {
    const failed = (error: Error) => {
      resolve(error.message);
    };
    const request = get(TARGET + path(), { agent, headers, timeout: TIMEOUT_MS }, (response) => {
      response.resume().once('error', failed);
      response.once('end', () => {
        resolve(String(response.statusCode));
      });
    });
    request.once('error', failed);
    request.once('timeout', () => request.destroy(new Error('no answer')));
  });
}

async function client(agent: Agent | false): Promise<never> {
  for (;;) {
    tally.sent += 1;
    const outcome = await ask(agent);
    if (outcome === '200') tally.ok += 1;
    else tally.failed[outcome] = (tally.failed[outcome] ?? 0) + 1;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

for (let n = 0; n < 6; n += 1) {
  void client(n % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false);
}
setInterval(() => {
  console.log(JSON.stringify(tally));
}, 500);
// As process 1 it would otherwise not end by this signal.
process.once('SIGTERM', () => process.exit());
