import { startRedis } from '../../../test/support/redis-server.js';
import type { Group } from '../groups.js';
import { HIGH_LIMITS, startReplica } from '../tools/servers.js';
import { median, spread } from '../tools/statistics.js';

const STARTS = 9;

/** From the spawn of a replica, as it is deployed, to the first good answer of its readiness probe. */
export const ready: Group = async ({ onEnd }) => {
  const redis = await startRedis();
  onEnd(() => redis.stop());
  const seconds: number[] = [];
  for (let i = 0; i < STARTS; i += 1) {
    const replica = await startReplica({ REDIS_URL: redis.url, ...HIGH_LIMITS });
    seconds.push(replica.readyAfterMs / 1000);
    await replica.stop();
  }
  const { lowest, highest } = spread(seconds);
  const details = `${lowest.toFixed(2)}–${highest.toFixed(2)} in ${STARTS} starts`;
  return { rows: { ready: { value: median(seconds), details } } };
};
