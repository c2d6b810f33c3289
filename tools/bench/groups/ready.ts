import { startRedis } from '../../../test/support/redis-server.js';
import type { Group } from '../groups.js';
import type { GroupResult } from '../results.js';
import { HIGH_LIMITS, startMemoryReplica, startReplica, type Server } from '../tools/servers.js';
import { median, spread } from '../tools/statistics.js';

const STARTS = 9;

/**
 * From the spawn of a replica to the first good answer of its readiness probe: as it is deployed, and as a developer
 * starts it.
 */
export const ready: Group = async ({ wants, onEnd }) => {
  const redis = await startRedis();
  onEnd(() => redis.stop());
  const starts: Record<string, () => Promise<Server>> = {
    ready: () => startReplica({ REDIS_URL: redis.url, ...HIGH_LIMITS }),
    'ready-memory': () => startMemoryReplica({}),
  };
  const rows: GroupResult['rows'] = {};
  for (const [row, start] of Object.entries(starts)) {
    if (!wants(row)) continue;
    const seconds: number[] = [];
    for (let i = 0; i < STARTS; i += 1) {
      const replica = await start();
      seconds.push(replica.readyAfterMs / 1000);
      await replica.stop();
    }
    const { lowest, highest } = spread(seconds);
    const details = `${lowest.toFixed(2)}–${highest.toFixed(2)} in ${STARTS} starts`;
    rows[row] = { value: median(seconds), details };
  }
  return { rows };
};
