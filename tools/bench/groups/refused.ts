import { startRedis } from '../../../test/support/redis-server.js';
import { providersAt } from '../../../test/support/service.js';
import type { Group } from '../groups.js';
import { sendAll } from '../tools/own-load.js';
import { startCountingRelay } from '../tools/relay.js';
import { browserHeaders, getRequest, PLAIN_PATH } from '../tools/requests.js';
import { compare, interleave, typical } from '../tools/rounds.js';
import { HIGH_LIMITS, newSession, startProgram, startReplica } from '../tools/servers.js';
import { median } from '../tools/statistics.js';
import { trafficOf } from '../tools/traffic.js';

const LIMIT = 30;
const SAMPLES = 100;

/**
 * A client over its limit, with Redis: 30 requests an hour are its own, all later ones are refused.
 * Commands to Redis are those that go out while one refused request after the other is answered.
 */
export const refused: Group = async ({ settings, onEnd }) => {
  const redis = await startRedis();
  onEnd(() => redis.stop());
  const relay = await startCountingRelay(redis.port);
  onEnd(() => {
    relay.close();
  });
  const provider = await startProgram('instant-provider');
  onEnd(() => provider.stop());
  const bare = await startProgram('bare');
  onEnd(() => bare.stop());
  // Two replicas that share the limits: the load goes past the relay, whose work would slow it down.
  const env = {
    ...HIGH_LIMITS,
    ...providersAt(`http://127.0.0.1:${provider.port}`),
    RATE_LIMIT_PER_IP: String(LIMIT),
    RATE_LIMIT_PER_IP_WINDOW_SECONDS: '3600',
  };
  const replica = await startReplica({ ...env, REDIS_URL: redis.url });
  onEnd(() => replica.stop());
  const counted = await startReplica({ ...env, REDIS_URL: `redis://127.0.0.1:${relay.port}` });
  onEnd(() => counted.stop());

  const request = getRequest(PLAIN_PATH, browserHeaders(await newSession(replica.port)));
  await sendAll(replica.port, Array<string>(LIMIT - 1).fill(request), 200, 1);
  const samples = await interleave(
    [
      { name: 'bare', server: bare, requests: [request] },
      { name: 'refused', server: replica, redis, requests: [request], refused: true, logs: true },
    ],
    settings,
  );
  const { ratio, range } = compare(samples, ['refused', 'cpu'], ['bare', 'cpu']);

  // The second replica finds out by asking once: only what follows is of a known refused client.
  const traffic = await trafficOf(relay, counted.port, request, { status: 429, times: SAMPLES });
  const commands = median(traffic.map((one) => one.commands.length));
  const all = traffic.reduce((sum, one) => sum + one.commands.length, 0);
  return {
    rows: {
      'refused-cpu': {
        value: ratio,
        details: `${range}; ${typical(samples, 'refused', 'cpu')}, ${typical(samples, 'refused', 'rate')}`,
      },
      'refused-commands': {
        value: commands,
        details: `${all} during ${SAMPLES} refused requests, background included`,
      },
    },
  };
};
