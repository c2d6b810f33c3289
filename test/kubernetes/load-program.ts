import { Agent, get } from 'node:http';

/**
 * Runs in a pod, in the place of the ingress controller: six clients send weather requests to the Service, three of
 * them over a new connection each time. Each request has another address in `X-Forwarded-For`, and one in ten is
 * for a new place. Every half second, prints the number of requests, of responses with status 200, and of the
 * other outcomes.
 */
const TARGET = process.env['TARGET'] ?? '';
const PAUSE_MS = 100;
const TIMEOUT_MS = 30_000;

const tally = { sent: 0, ok: 0, failed: {} as Record<string, number> };

function path(): string {
  const { sent } = tally;
  if (sent % 10 > 0) return '/api/v1/weather?city=Seattle&country=USA';
  // Points on land, so that a city is near.
  const latitude = 46 + ((sent * 7919) % 600) / 100;
  const longitude = 8 + ((sent * 104_729) % 2200) / 100;
  return `/api/v1/weather/coordinates?lat=${latitude}&lon=${longitude}`;
}

function ask(agent: Agent | false): Promise<string> {
  const { sent } = tally;
  const headers = { 'X-Forwarded-For': `198.18.${(sent >> 8) & 255}.${sent & 255}` };
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
// Process 1 of a container does not end by this signal without a handler.
process.once('SIGTERM', () => process.exit());
