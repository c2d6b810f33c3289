import { startRedis } from '../../test/support/redis-server.js';
import type { Group } from './rounds.js';
import { startMemoryReplica, startReplica, type Server } from './servers.js';
import { comparePairs, type Pair } from './statistics.js';

/** The time from the start of a process to the first successful response of its readiness probe. */
export const measureStarts: Group = async ({ dist, otherDist, rounds, onEnd }) => {
  const redis = await startRedis();
  onEnd(() => redis.stop());
  const env = { REDIS_URL: redis.url, WEATHER_PROVIDERS: 'open-meteo' };
  return {
    'time from start to ready, in memory': await compareStarts(startMemoryReplica),
    'time from start to ready, with Redis': await compareStarts((folder) =>
      startReplica(folder, env),
    ),
  };

  async function compareStarts(start: (folder: string) => Promise<Server>) {
    const pairs: Pair[] = [];
    for (let round = 0; round < 2 * rounds; round += 1) {
      const value = await secondsOf(start(dist));
      pairs.push({ value, reference: await secondsOf(start(otherDist)) });
    }
    return comparePairs(pairs, 's');
  }
};

async function secondsOf(starting: Promise<Server>): Promise<number> {
  const server = await starting;
  await server.stop();
  return server.readyAfterMs / 1000;
}
