import type { Group } from '../groups.js';
import type { GroupResult } from '../results.js';
import { sendAll } from '../tools/own-load.js';
import {
  addresses,
  browserHeaders,
  cityPaths,
  getRequest,
  PLAIN_PATH,
  pointPaths,
} from '../tools/requests.js';
import { compare, interleave, typical, type Contestant } from '../tools/rounds.js';
import { LONG_CACHE, newSession, startStack } from '../tools/servers.js';

const CACHED_PLACES = 100_000;
const ADDRESSES = 10_000;
const ASKED_PLACES = 15_000;

/**
 * Hits with Redis when there is much of something, over the plain case of one place and one client.
 * Each case has a replica and a Redis of its own; all are measured in turns.
 */
export const crowds: Group = async ({ settings, wants, onEnd, say }) => {
  const of = (count: number) => Math.round(count * settings.scale);

  /** A replica and its Redis, after it has answered the requests that prepare it. */
  async function contestant(
    name: string,
    prepare: readonly string[],
    paths: readonly string[],
    clients: readonly string[] = [],
  ): Promise<Contestant> {
    const stack = await startStack(LONG_CACHE);
    onEnd(() => stack.stop());
    const { port } = stack.replica;
    const headers = browserHeaders(await newSession(port));
    await sendAll(
      port,
      prepare.map((path) => getRequest(path, headers)),
    );
    // Hits need none, and a machine of two cores has better things to do.
    await stack.worker.stop();
    stack.replica.clearOutput();
    const ofClients = clients.map((ip) =>
      getRequest(PLAIN_PATH, { ...headers, 'X-Forwarded-For': ip }),
    );
    const requests =
      ofClients.length > 0 ? ofClients : paths.map((path) => getRequest(path, headers));
    return { name, server: stack.replica, redis: stack.redis, requests, logs: true };
  }

  const contestants = [await contestant('plain', [], [PLAIN_PATH])];
  if (wants('addresses')) {
    contestants.push(await contestant('addresses', [], [], addresses(of(ADDRESSES))));
  }
  if (wants('places')) {
    const paths = cityPaths(of(ASKED_PLACES));
    contestants.push(await contestant('places', paths, paths));
  }
  if (wants('cached-places')) {
    say(`filling a cache with ${of(CACHED_PLACES)} places`);
    const cached = pointPaths(of(CACHED_PLACES));
    contestants.push(await contestant('cached-places', cached, [PLAIN_PATH]));
  }

  const samples = await interleave(contestants, settings);
  const rows: GroupResult['rows'] = {};
  for (const { name } of contestants.slice(1)) {
    const { ratio, range } = compare(samples, [name, 'rate'], ['plain', 'rate']);
    const cpu = compare(samples, [name, 'cpu'], ['plain', 'cpu']);
    const rate = `${typical(samples, name, 'rate')} over ${typical(samples, 'plain', 'rate')}`;
    rows[name] = { value: ratio, details: `${range}; ${rate}; CPU × ${cpu.ratio.toFixed(2)}` };
  }
  return { rows };
};
