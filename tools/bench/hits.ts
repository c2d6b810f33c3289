import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchDirectory } from './bench-process.js';
import { browserHeaders, FORECAST, getRequest, SEATTLE } from './requests.js';
import { interleave, type Contestant, type Group } from './rounds.js';
import { sendRequests } from './send-requests.js';
import { newSession, startMemoryReplica, startStack, type Server } from './servers.js';
import { comparePairs } from './statistics.js';

const LIMIT = 30;
const LIMIT_30 = {
  RATE_LIMIT_PER_IP: String(LIMIT),
  RATE_LIMIT_PER_IP_WINDOW_SECONDS: '3600',
};

/** A named client whose limit no load reaches. */
const KEY = 'wk_1b9f7c0a52e84d36';
const CLIENTS = `bench ${createHash('sha256').update(KEY).digest('hex')} 1000000/1\n`;

/** What is compared: the contestants of both versions, and a figure of their samples. */
const ROWS: [what: string, name: string, figure: 'cpu' | 'redisCpu'][] = [
  ['CPU time of a hit in memory', 'memory', 'cpu'],
  ['CPU time of a hit with Redis, replica', 'Redis', 'cpu'],
  ['CPU time of a hit with Redis, Redis', 'Redis', 'redisCpu'],
  ['CPU time of a hit of a forecast with Redis, replica', 'forecast', 'cpu'],
  ['CPU time of a hit of a forecast with Redis, Redis', 'forecast', 'redisCpu'],
  ['CPU time of a rejected request (429) with Redis, replica', 'rejected', 'cpu'],
];

/** The cost of a hit and of a rejected request. Each server receives the request of a browser. */
export const measureHits: Group = async ({ dist, otherDist, onEnd, ...rounds }) => {
  const contestants: Contestant[] = [];
  async function add(
    name: string,
    server: Server,
    options: Partial<Contestant> = {},
    path = SEATTLE,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const cookies = browserHeaders(await newSession(server));
    const request = getRequest(path, { ...cookies, ...headers });
    contestants.push({ name, server, requests: [request], ...options });
    return request;
  }
  async function running<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const server = await starting;
    onEnd(() => server.stop());
    return server;
  }

  for (const [version, folder] of [
    ['this', dist],
    ['other', otherDist],
  ] as const) {
    await add(`memory ${version}`, await running(startMemoryReplica(folder)));
    const stack = await running(startStack(folder));
    await add(`Redis ${version}`, stack.replica, { redis: stack.redis });
    await add(`forecast ${version}`, stack.replica, { redis: stack.redis }, FORECAST);
    const limited = await running(startStack(folder, LIMIT_30));
    const options = { redis: limited.redis, isRejected: true };
    const request = await add(`rejected ${version}`, limited.replica, options);
    const allowed = Array<string>(LIMIT - 1).fill(request);
    await sendRequests(limited.replica.port, allowed, { connections: 1 });
  }
  const clientsFile = join(scratchDirectory(), 'clients');
  await writeFile(clientsFile, CLIENTS);
  const stack = await running(startStack(dist, { CLIENTS_FILE: clientsFile }));
  const options = { redis: stack.redis };
  await add('anonymous', stack.replica, options);
  await add('named', stack.replica, options, SEATTLE, { authorization: `Bearer ${KEY}` });
  const samples = await interleave(contestants, rounds);

  function compare(name: string, reference: string, figure: 'cpu' | 'redisCpu') {
    const others = samples[reference]!;
    const pairs = samples[name]!.map((sample, round) => ({
      value: sample[figure],
      reference: others[round]![figure],
    }));
    return comparePairs(pairs, 'µs');
  }
  const rows = ROWS.map(
    ([what, name, figure]) => [what, compare(`${name} this`, `${name} other`, figure)] as const,
  );
  return {
    ...Object.fromEntries(rows),
    'CPU time of a hit with Redis by a named client, beside no key': compare(
      'named',
      'anonymous',
      'cpu',
    ),
  };
};
