import { startRedis } from '../../../test/support/redis-server.js';
import { providersAt } from '../../../test/support/service.js';
import type { Group } from '../groups.js';
import { startCountingRelay } from '../tools/relay.js';
import { browserHeaders, getRequest, PLAIN_PATH } from '../tools/requests.js';
import {
  HIGH_LIMITS,
  LONG_CACHE,
  newSession,
  startProgram,
  startReplica,
} from '../tools/servers.js';
import { median } from '../tools/statistics.js';
import { trafficOf } from '../tools/traffic.js';

const SAMPLES = 100;
/** Far more than all else that an answer takes, and what the service takes for a well Redis. */
const TRIP_MS = 20;

/** The way to Redis of a hit that nothing else goes along with, by a relay that counts and is late: a trip is what its answer is late by. */
export const loneHit: Group = async ({ onEnd }) => {
  const redis = await startRedis();
  onEnd(() => redis.stop());
  const relay = await startCountingRelay(redis.port, TRIP_MS);
  onEnd(() => {
    relay.close();
  });
  const provider = await startProgram('instant-provider');
  onEnd(() => provider.stop());
  const replica = await startReplica({
    ...HIGH_LIMITS,
    ...LONG_CACHE,
    ...providersAt(`http://127.0.0.1:${provider.port}`),
    REDIS_URL: `redis://127.0.0.1:${relay.port}`,
  });
  onEnd(() => replica.stop());

  const request = getRequest(PLAIN_PATH, browserHeaders(await newSession(replica.port)));
  const traffic = await trafficOf(relay, replica.port, request, { status: 200, times: SAMPLES });
  const names = traffic.map(({ commands }) => commands.join(', '));
  const usual = names.toSorted(
    (a, b) => names.filter((name) => name === b).length - names.filter((name) => name === a).length,
  )[0]!;
  return {
    rows: {
      trips: {
        value: Math.floor(median(traffic.map(({ tookMs }) => tookMs)) / TRIP_MS),
        details: `median of ${SAMPLES} hits`,
      },
      commands: { value: median(traffic.map(({ commands }) => commands.length)), details: usual },
    },
  };
};
