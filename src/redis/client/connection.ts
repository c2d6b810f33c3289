import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../../config/config.js';
import type { Address } from '../../config/rules.js';
import { connectorToAnyOf } from './any-node.js';
import { connectionFaultOf } from './errors.js';
import type { RedisClient } from './port.js';
import { RETRY_MS } from './waits.js';

/** Without the option whose type decides the client's: it stays at its default. */
type Options = Omit<RedisOptions, 'replyMapping'>;

/**
 * What a connection is for.
 * - `requests`: on the way of a request: fails at once when Redis is unavailable
 * - `worker`: takes jobs; blocks, and waits for Redis as long as it must
 * - `subscriber`: listens for announcements; subscribes again by itself
 */
export type Purpose = 'requests' | 'worker' | 'subscriber';

/**
 * How long a blocking or subscribed connection may be silent while Redis is well, and any connection
 * while it is made, in milliseconds. Doubled: after a master has frozen, workers and announcements
 * come back 4 s later; behind a firewall that drops packets, the next address is tried 2 s later.
 */
export const MAX_SILENCE_MS = 2000;

/**
 * Milliseconds between attempts to connect, for ever. Doubled: Redis is used again up to 0.4 s
 * later.
 */
const retryDelay = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 3), 400);

/**
 * How long a sentinel, or a node that is asked for the slots of a cluster, may take before the next one is
 * asked: beside one that hangs, the next one answers within the same time.
 */
const DISCOVERY_MS = MAX_SILENCE_MS / 2;

/**
 * Connects, for ever: what goes wrong shows in the store's own state.
 * @param peer knows which nodes a cluster has by now
 */
export function connect(address: RedisAddress, purpose: Purpose, peer?: RedisClient): RedisClient {
  const client = create(address, purpose, peer);
  client.on('error', (error: Error) => {
    // Without this the client goes on in database 0.
    if (connectionFaultOf(error).reason === 'no_such_database') client.disconnect(true);
  });
  return client;
}

/** Whether a connection waits for its server to load its data. The library does not tell. */
export async function isLoading(client: RedisClient): Promise<boolean> {
  if (client instanceof Cluster || client.status !== 'connect') return false;
  return /^loading:1/m.test(await client.info('persistence').catch(() => ''));
}

/**
 * Whether the address leads to a master by now. After a failover a connection may go on at a master
 * that became a replica; it answers reads, and so is left only for a better one.
 * @param isMaster tries a write
 */
export async function leadsToMaster(
  client: Redis,
  isMaster: (other: Redis) => Promise<unknown>,
): Promise<boolean> {
  const never = () => null;
  const other = client.duplicate({
    ...{ lazyConnect: true, retryStrategy: never, sentinelRetryStrategy: never },
    failoverDetector: false,
  });
  other.on('error', () => undefined);
  try {
    await other.connect();
    await isMaster(other);
    return true;
  } catch {
    return false;
  } finally {
    other.disconnect();
  }
}

function create(address: RedisAddress, purpose: Purpose, peer?: RedisClient): RedisClient {
  const options: Options = {
    ...credentials(address),
    ...optionsFor(purpose),
    connectTimeout: MAX_SILENCE_MS,
    retryStrategy: retryDelay,
    maxLoadingRetryTime: RETRY_MS,
    // Two commands less on each connection. The client ignores what is said to them: also why a server
    // refuses the connection.
    disableClientInfo: true,
    protocol: 2,
  };
  switch (address.kind) {
    case 'single':
      return new Redis(address.url, options);
    case 'sentinel':
      return new Redis({
        ...options,
        sentinels: address.sentinels,
        name: address.master,
        ...(address.password !== undefined && { sentinelPassword: address.password }),
        db: databaseOf(address.url),
        sentinelRetryStrategy: retryDelay,
        // Else a connection stays at the old master for ten seconds after SENTINEL FAILOVER.
        failoverDetector: true,
        sentinelCommandTimeout: DISCOVERY_MS,
      });
    case 'cluster':
      if (purpose === 'subscriber') {
        const nodes = () => nodesOf(peer) ?? address.nodes;
        return new Redis({ ...options, Connector: connectorToAnyOf(nodes) });
      }
      return new Cluster(address.nodes, {
        // At the top level: in redisOptions a cluster ignores it.
        enableOfflineQueue: options.enableOfflineQueue ?? true,
        clusterRetryStrategy: retryDelay,
        slotsRefreshTimeout: DISCOVERY_MS,
        // By default a cluster sends again what was lost with a connection, and a node may have done that already.
        ...(purpose === 'requests' && { retryDelayOnFailover: 0 }),
        // A certificate is for the node's name, which the client would turn into an address.
        dnsLookup: (host, done) => {
          done(null, host);
        },
        redisOptions: options,
      });
  }
}

/** The nodes of a cluster that its client has found; undefined while there are none. */
function nodesOf(client: RedisClient | undefined): Address[] | undefined {
  if (!(client instanceof Cluster)) return undefined;
  const found = client.nodes().map(({ options: { host = '', port = 0 } }) => ({ host, port }));
  return found.length > 0 ? found : undefined;
}

function optionsFor(purpose: Purpose): Options {
  // A command on a blocking or subscribed connection has no deadline. But the longest block of a
  // worker and the time between two pings of a subscriber are shorter than this. A master that is
  // silent for longer is frozen, and without a limit the connection would never leave it.
  const socketTimeout = 2 * MAX_SILENCE_MS;
  if (purpose === 'worker') {
    return {
      maxRetriesPerRequest: null,
      socketTimeout,
      // At a master that became a replica it could do nothing.
      reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? 1 : false),
    };
  }
  if (purpose === 'subscriber') {
    // The client's own way ends the process when the subscription is refused.
    const autoResubscribe = false;
    return { maxRetriesPerRequest: null, socketTimeout, enableReadyCheck: false, autoResubscribe };
  }
  return {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A limiter's script that is sent again after a reconnect would count twice.
    autoResendUnfulfilledCommands: false,
    // For a connection that is being made to a frozen master: `node.ts` ends the others earlier, and
    // not for a delay of this process.
    socketTimeout: MAX_SILENCE_MS,
  };
}

/** User, password and TLS of a redis:// or rediss:// address. */
function credentials({ url, tls = {} }: RedisAddress): Options {
  if (url === undefined) return {};
  const { protocol, username, password } = new URL(url);
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    // With sentinels, `tls` alone is ignored, and the password would go out in clear.
    ...(protocol === 'rediss:' && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

/** The number after the host; 0 without one. A cluster has this one database only. */
export function databaseOf(url: string | undefined): number {
  return url === undefined ? 0 : Number(new URL(url).pathname.slice(1));
}
