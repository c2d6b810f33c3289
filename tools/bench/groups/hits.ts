import { startRedis } from '../../../test/support/redis-server.js';
import type { Group } from '../groups.js';
import { browserHeaders, getRequest, PLAIN_PATH } from '../tools/requests.js';
import { compare, interleave, typical, type Contestant } from '../tools/rounds.js';
import {
  HIGH_LIMITS,
  lastRelease,
  LONG_CACHE,
  newSession,
  startMemoryReplica,
  startProgram,
  startStack,
  type Server,
} from '../tools/servers.js';

/**
 * What a cache hit costs, beside programs that do less. All answer the same request of a browser
 * with a session: one city, the cookies, an origin. 64 connections, one load thread.
 */
export const hits: Group = async ({ settings, onEnd }) => {
  async function kept<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const started = await starting;
    onEnd(() => started.stop());
    return started;
  }
  const bare = await kept(startProgram('bare'));
  const minimal = await kept(startProgram('minimal'));
  const memory = await kept(startMemoryReplica({ ...HIGH_LIMITS, ...LONG_CACHE }));
  const minimalRedis = await kept(startRedis());
  const minimalWithRedis = await kept(startProgram('minimal', { REDIS_URL: minimalRedis.url }));
  const stackRedis = await kept(startRedis());
  const straightforward = await kept(
    startProgram('straightforward', { REDIS_URL: stackRedis.url }),
  );
  const stack = await kept(startStack(LONG_CACHE));
  const last = await kept(startStack(LONG_CACHE, lastRelease()));

  const contestant = async (
    name: string,
    server: Server,
    redis?: { pid: number },
  ): Promise<Contestant> => ({
    name,
    server,
    logs: server !== bare,
    ...(redis ? { redis } : {}),
    requests: [getRequest(PLAIN_PATH, browserHeaders(await newSession(server.port)))],
  });
  const ours = [
    await contestant('bare', bare),
    await contestant('memory', memory),
    await contestant('redis', stack.replica, stack.redis),
  ];
  const others = [
    await contestant('last release', last.replica, last.redis),
    await contestant('minimal', minimal),
    await contestant('minimal with Redis', minimalWithRedis, minimalRedis),
    await contestant('straightforward', straightforward, stackRedis),
  ];
  const samples = await interleave([...ours, ...others], settings);
  // Few requests a turn: what is sent together by the turn gains little here.
  const few = await interleave(ours, { ...settings, warmUpSeconds: 1, connections: 4 });

  const inMemory = compare(samples, ['memory', 'cpu'], ['bare', 'cpu']);
  const withRedis = compare(samples, ['redis', 'cpu'], ['bare', 'cpu']);
  const throughput = compare(samples, ['redis', 'rate'], ['straightforward', 'rate']);
  const redisCpu = compare(samples, ['redis', 'redisCpu'], ['bare', 'cpu']);
  const released = compare(samples, ['redis', 'cpu'], ['last release', 'cpu']);
  const releasedRedis = compare(samples, ['redis', 'redisCpu'], ['last release', 'redisCpu']);
  const fewCpu = compare(few, ['redis', 'cpu'], ['bare', 'cpu']);
  const of = (name: string, figure: 'cpu' | 'redisCpu' | 'rate') => typical(samples, name, figure);
  const baseline = (name: string) => {
    const { ratio, range } = compare(samples, [name, 'cpu'], ['bare', 'cpu']);
    return `${ratio.toFixed(2)} × bare Koa (${range}), ${of(name, 'cpu')}, ${of(name, 'rate')}`;
  };
  const minimalRate = compare(samples, ['minimal with Redis', 'rate'], ['straightforward', 'rate']);
  return {
    rows: {
      'hit-memory': {
        value: inMemory.ratio,
        details: `${inMemory.range}; ${of('memory', 'cpu')}, ${of('memory', 'rate')}`,
      },
      'hit-redis': {
        value: withRedis.ratio,
        details: `${withRedis.range}; ${of('redis', 'cpu')}, ${of('redis', 'rate')}`,
      },
      'hit-redis-4': {
        value: fewCpu.ratio,
        details: `${fewCpu.range}; ${typical(few, 'redis', 'cpu')}`,
      },
      'hit-throughput': {
        value: throughput.ratio,
        details: `${throughput.range}; ${of('redis', 'rate')} over ${of('straightforward', 'rate')}`,
      },
      'redis-cpu': {
        value: redisCpu.ratio,
        details: `${redisCpu.range}; ${of('redis', 'redisCpu')}`,
      },
      'hit-release': {
        value: released.ratio,
        details: `${released.range}; ${of('redis', 'cpu')} over ${of('last release', 'cpu')}`,
      },
      'redis-release': {
        value: releasedRedis.ratio,
        details: `${releasedRedis.range}; ${of('redis', 'redisCpu')} over ${of('last release', 'redisCpu')}`,
      },
    },
    notes: [
      `bare Koa: ${of('bare', 'cpu')}, ${of('bare', 'rate')}`,
      `minimal program in memory: ${baseline('minimal')}`,
      `minimal program with Redis: ${baseline('minimal with Redis')}, Redis ${of('minimal with Redis', 'redisCpu')}; throughput ${minimalRate.ratio.toFixed(2)} × the straightforward stack`,
      `straightforward stack: ${baseline('straightforward')}, Redis ${of('straightforward', 'redisCpu')}`,
    ],
  };
};
