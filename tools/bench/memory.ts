import { residentBytes } from '../../test/support/processes.js';
import type { Group } from './rounds.js';
import { addresses, browserHeaders, getRequest, pointPaths, SEATTLE } from './requests.js';
import { cookiesOf, sendRequests } from './send-requests.js';
import { newSession, startStack } from './servers.js';
import { comparePairs } from './statistics.js';

const FIRST_MISSES = 5000;

/** Memory in MB (10^6 bytes), as Linux counts it for a process. */
interface Memory {
  start: number;
  peak: number;
  /** After the first misses. */
  misses: number;
}

/** Resident memory of a replica after the first misses, and during crowds. */
export const measureMemory: Group = async ({ dist, otherDist, crowd }) => {
  const own = await memoryOf(dist, crowd);
  const other = await memoryOf(otherDist, crowd);
  const row = (figure: keyof Memory) =>
    comparePairs([{ value: own[figure], reference: other[figure] }], 'MB');
  return {
    'memory of a replica after its start': row('start'),
    'highest memory of a replica during crowds of addresses and places': row('peak'),
    'memory of a replica after 5,000 misses': row('misses'),
  };
};

/** Measures a replica and its crowds. */
export async function memoryOf(dist: string, crowd: number): Promise<Memory> {
  const stack = await startStack(dist);
  const { replica } = stack;
  try {
    const start = residentBytes(replica.pid).now;
    const headers = browserHeaders(await newSession(replica));
    const clients = addresses(crowd).map((ip) => ({ 'X-Forwarded-For': ip }));
    const places = pointPaths(crowd).map((path, i) =>
      getRequest(path, { ...headers, ...clients[i] }),
    );
    await sendRequests(replica.port, places.slice(0, FIRST_MISSES));
    const misses = residentBytes(replica.pid).now;
    await sendRequests(replica.port, places.slice(FIRST_MISSES));
    // Each client gets a session, and uses it once.
    const newClients = clients.map((client) => getRequest(SEATTLE, client));
    const responses = await sendRequests(replica.port, newClients);
    const returning = responses.map(({ head }, i) =>
      getRequest(SEATTLE, { ...browserHeaders(cookiesOf(head)), ...clients[i] }),
    );
    await sendRequests(replica.port, returning);
    const { highest } = residentBytes(replica.pid);
    return { start: start / 1e6, peak: highest / 1e6, misses: misses / 1e6 };
  } finally {
    await stack.stop();
  }
}
