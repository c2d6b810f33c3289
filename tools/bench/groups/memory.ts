import type { Group } from '../groups.js';
import { cookiesOf, ownLoad, sendAll } from '../tools/own-load.js';
import { memory } from '../tools/proc.js';
import {
  addresses,
  browserHeaders,
  getRequest,
  PLAIN_PATH,
  pointPaths,
} from '../tools/requests.js';
import { newSession, startStack } from '../tools/servers.js';

const CROWD = 100_000;
const WORKER_MISSES = 5000;

/**
 * Resident memory of a replica that was started as the manifests start it, after one crowd after the
 * other has passed. Every session comes back once with its cookies. At last Redis is killed.
 */
export const memoryOfReplica: Group = async ({ settings, onEnd, say }) => {
  const crowd = Math.round(CROWD * settings.scale);
  // Alone it admits all: the last crowd comes while Redis is away, and a share of the total would refuse most of it.
  const stack = await startStack({ REPLICAS_HINT: '1' });
  onEnd(() => stack.stop());
  const { port, pid } = stack.replica;
  const clients = addresses(crowd);
  const later = addresses(crowd, 11);
  const phases: [name: string, run: () => Promise<unknown>][] = [
    ['addresses', () => sendAll(port, clients.map(plainRequest))],
    [
      'places',
      async () => {
        const cookie = await newSession(port, { 'X-Forwarded-For': '192.0.2.1' });
        const requests = pointPaths(crowd).map((path, i) =>
          getRequest(path, { ...browserHeaders(cookie), 'X-Forwarded-For': clients[i]! }),
        );
        await sendAll(port, requests);
      },
    ],
    ['sessions', () => sessions(port, clients)],
    [
      'addresses without Redis',
      async () => {
        await stack.redis.kill('SIGKILL');
        await sendAll(port, later.map(plainRequest));
      },
    ],
  ];

  const start = memory(pid).now;
  const steps: string[] = [];
  for (const [name, run] of phases) {
    say(`${crowd} ${name}`);
    const came = await run();
    stack.replica.clearOutput();
    stack.worker.clearOutput();
    const part = typeof came === 'number' && came < crowd ? ` (only ${came})` : '';
    steps.push(`${name}${part} ${memory(pid).now.toFixed(0)}`);
  }
  const { now, highest } = memory(pid);
  return {
    rows: {
      'memory-start': { value: start, details: 'with Redis' },
      memory: { value: highest, details: `${crowd} of each: ${steps.join(', ')}` },
      'memory-growth': {
        value: now - start,
        details: `from ${start.toFixed(0)} to ${now.toFixed(0)}`,
      },
    },
  };
};

const plainRequest = (ip: string) => getRequest(PLAIN_PATH, { 'X-Forwarded-For': ip });

/**
 * A new session for each client; each comes back once. No session is issued while Redis does not
 * answer in time, which happens on a machine that is busy with other things.
 * @returns how many came back
 */
async function sessions(port: number, clients: readonly string[]): Promise<number> {
  const back: (string | undefined)[] = [];
  const ips: string[] = [];
  let at = 0;
  const counts = await ownLoad({
    port,
    connections: 64,
    next(connection) {
      const cookies = back[connection];
      if (cookies !== undefined) {
        back[connection] = undefined;
        const headers = { ...browserHeaders(cookies), 'X-Forwarded-For': ips[connection]! };
        return getRequest(PLAIN_PATH, headers);
      }
      const ip = clients[at++];
      if (ip === undefined) return undefined;
      ips[connection] = ip;
      return plainRequest(ip);
    },
    onAnswer({ head }, connection) {
      const cookies = cookiesOf(head);
      if (cookies !== '') back[connection] = cookies;
    },
  });
  if (counts.size !== 1 || !counts.has(200)) {
    throw new Error(`not all answers were 200: ${[...counts].join(' ')}`);
  }
  return counts.get(200)! - clients.length;
}

/** Resident memory of a worker after some thousand fetches. */
export const memoryOfWorker: Group = async ({ onEnd }) => {
  const stack = await startStack();
  onEnd(() => stack.stop());
  const headers = browserHeaders(await newSession(stack.replica.port));
  const before = memory(stack.worker.pid).now;
  const requests = pointPaths(WORKER_MISSES).map((path) => getRequest(path, headers));
  await sendAll(stack.replica.port, requests);
  const { now, highest } = memory(stack.worker.pid);
  const details = `start ${before.toFixed(0)}; highest ${highest.toFixed(0)}`;
  return { rows: { 'worker-memory': { value: now, details } } };
};
