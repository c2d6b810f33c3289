import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../../config/config.js';
import type { Address } from '../../config/rules.js';
import { connectorToAnyOf } from './any-node.js';
import { connectionFaultOf, type Fault } from './errors.js';
import type { RedisClient } from './store.js';

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
 * How long a blocking or subscribed connection may be silent while Redis is well, in milliseconds.
 * Doubled: after a master has frozen, workers and announcements come back 4 s later.
 */
export const MAX_SILENCE_MS = 2000;

/**
 * Milliseconds between attempts to connect, for ever. Doubled: Redis is used again up to 0.4 s
 * later.
 */
const retryDelay = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 3), 400);

/**
 * A failover can leave a connection at a master that became a replica: it connects anew, but not in a
 * loop. Doubled: behind an address that moved, writes come back 5 s later.
 */
const READONLY_RECONNECT_INTERVAL_MS = 5000;

/**
 * Opens a connection to Redis of the configured kind. It connects by itself and reconnects for
 * ever. Its errors are never thrown: what goes wrong shows in the store's own state.
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

/**
 * A server that is not ready so long after the connection was made is asked whether it loads its data.
 * Doubled: that is told 0.1 s later.
 */
const READY_MS = 100;

/** @param onFault told why no connection can be made, or why it cannot be used yet */
export function watchConnection(client: RedisClient, onFault: (fault: Fault) => void): void {
  client.on('error', (error: Error) => {
    onFault(connectionFaultOf(error));
  });
  if (client instanceof Cluster) return;
  // The library says nothing while the server loads its data.
  const tell = (info: string) => {
    if (/^loading:1/m.test(info)) onFault({ reason: 'loading' });
  };
  const ask = () => {
    if (client.status === 'connect') client.info('persistence').then(tell, () => undefined);
  };
  client.on('connect', () => setTimeout(ask, READY_MS).unref());
}

function create(address: RedisAddress, purpose: Purpose, peer?: RedisClient): RedisClient {
  const options: Options = {
    ...credentials(address),
    ...optionsFor(purpose),
    // Doubled: behind a firewall that drops packets, the next address is tried 2 s later.
    connectTimeout: 2000,
    retryStrategy: retryDelay,
    // While the server loads its data it is asked this often. Doubled: it is used 0.1 s later.
    maxLoadingRetryTime: 100,
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
        failoverDetector: purpose === 'requests',
        // Then the next sentinel is asked. Doubled: beside a hung sentinel a failover takes 1 s longer.
        sentinelCommandTimeout: 1000,
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
        // Doubled: beside a hung node a failover is found 1 s later, and one without traffic 5 s later.
        slotsRefreshTimeout: 1000,
        slotsRefreshInterval: 5000,
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
      reconnectOnError: throttledReadonly(false),
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
    // For a connection that is being made to a frozen master: `waits.ts` ends the others earlier, and
    // not for a delay of this process. Doubled: a failover in that moment is followed 2 s later.
    socketTimeout: 2000,
    reconnectOnError: throttledReadonly(true),
  };
}

/** @param forReads a node that answers reads is left only when it has refused writes for a while */
function throttledReadonly(forReads: boolean): (error: Error) => boolean | 1 | 2 {
  let last = -Infinity;
  return (error) => {
    if (!error.message.startsWith('READONLY')) return false;
    const now = performance.now();
    const isFirst = now - last > 2 * READONLY_RECONNECT_INTERVAL_MS;
    if (!isFirst && now - last < READONLY_RECONNECT_INTERVAL_MS) return false;
    last = now;
    return isFirst && forReads ? false : 1;
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
