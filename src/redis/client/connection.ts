import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../../config/config.js';
import type { Address } from '../../config/rules.js';
import { MAX_SILENCE_MS, SENTINEL_REPLY_MS } from './timing.js';

/** A connection to Redis of any of the three kinds (single, Sentinel, Cluster). */
export type RedisClient = Redis | Cluster;

/** Options of the client, without the option that changes its type. */
type Options = Omit<RedisOptions, 'replyMapping'>;

/**
 * The use of a connection.
 * - `requests`: commands of requests, which fail at once if there is no connection
 * - `worker`: takes jobs with blocking commands, which wait for Redis without a limit
 * - `subscriber`: receives messages (pub/sub)
 */
export type Purpose = 'requests' | 'worker' | 'subscriber';

/** Milliseconds before the next attempt to connect. Longer: Redis is used again later after an outage. */
const retryDelay = (attempt: number): number => 50 * 2 ** Math.min(attempt, 3);

/** The clients of this process that are connected. */
const connected = new Set<RedisClient>();

/** Creates a client that connects, and connects again after a failure, without a limit. */
export function connect(address: RedisAddress, purpose: Purpose): RedisClient {
  const client = create(address, purpose);
  client.on('connect', () => connected.add(client));
  client.on('end', () => connected.delete(client));
  client.on('error', ({ message }: Error) => {
    // Otherwise the client continues in database 0.
    if (message.includes('DB index is out of range')) client.disconnect(true);
    if (message.startsWith('Command queue state error')) cut(client);
  });
  return client;
}

/** Ends the connections of a client, which connects again. */
export function cut(client: RedisClient): void {
  for (const redis of client instanceof Cluster ? client.nodes() : [client]) reset(redis);
}

/** Ends a connection so that nothing arrives that was sent over it and not yet delivered. */
export function reset({ stream }: { stream: Redis['stream'] | undefined }): void {
  // It is absent until the first attempt to connect. Node.js does not reset a TLS connection.
  if (!stream || 'encrypted' in stream) stream?.destroy();
  else stream.resetAndDestroy();
}

/**
 * Handles an uncaught exception of the library: a reply that is not one to the oldest command, such as a reply too many
 * while it subscribes. The library throws it in a tick of its own (ioredis 6.0.0, `dispatch` in DataHandler.js), so no
 * caller can catch it, and it does not name its connection: all connections of the process end.
 * This can go when the library ends the connection itself, as it does for bytes that it cannot parse.
 * @returns whether the exception is one of the library
 */
export function cutOnLibraryError({ stack = '' }: Error): boolean {
  const [, thrownAt = ''] = /^\s+at (.*)$/m.exec(stack) ?? [];
  if (!thrownAt.includes('/ioredis/')) return false;
  for (const client of connected) cut(client);
  return true;
}

function create(address: RedisAddress, purpose: Purpose): RedisClient {
  const options: Options = {
    ...credentials(address),
    ...optionsFor(purpose),
    connectTimeout: MAX_SILENCE_MS,
    // Without this limit, a connection without health checks would never leave a frozen server.
    socketTimeout: 2 * MAX_SILENCE_MS,
    retryStrategy: retryDelay,
    // The library ignores the replies to these commands, which may say why a server rejects the connection.
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
        // Otherwise a connection stays at the old master for ten seconds after SENTINEL FAILOVER.
        failoverDetector: true,
        sentinelCommandTimeout: SENTINEL_REPLY_MS,
      });
    case 'cluster':
      if (purpose === 'subscriber') return connectToAnyOf(address.nodes, options);
      return new Cluster(address.nodes, {
        // At the top level: in redisOptions a cluster ignores it.
        enableOfflineQueue: purpose !== 'requests',
        clusterRetryStrategy: retryDelay,
        // By default, a cluster sends commands of a lost connection again, which could count a request twice.
        ...(purpose === 'requests' && { retryDelayOnFailover: 0 }),
        slotsRefreshInterval: MAX_SILENCE_MS,
        // Certificates name hosts: the client must not resolve them to addresses.
        dnsLookup: (host, done) => {
          done(null, host);
        },
        redisOptions: options,
      });
  }
}

/**
 * Connects to one of several nodes of a cluster, and to the next one after each failure. A cluster sends
 * published messages to all of its nodes. The library's own subscription stays at a node that hangs.
 */
function connectToAnyOf(nodes: readonly Address[], options: Options): Redis {
  let index = Math.floor(Math.random() * nodes.length);
  const client = new Redis({
    ...options,
    ...nodes[index],
    retryStrategy(attempt) {
      index = (index + 1) % nodes.length;
      Object.assign(client.options, nodes[index]);
      return retryDelay(attempt);
    },
  });
  return client;
}

function optionsFor(purpose: Purpose): Options {
  if (purpose === 'worker') {
    return {
      maxRetriesPerRequest: null,
      // A worker cannot take jobs from a master that became a replica.
      reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? 1 : false),
    };
  }
  if (purpose === 'subscriber') {
    // The library's own resubscription ends the process if Redis rejects the subscription.
    const autoResubscribe = false;
    return { maxRetriesPerRequest: null, enableReadyCheck: false, autoResubscribe };
  }
  return {
    enableOfflineQueue: false,
    // Commands fail as soon as their connection is lost.
    maxRetriesPerRequest: 0,
    // A script that is sent again after a reconnect would count a request twice.
    autoResendUnfulfilledCommands: false,
    // Health checks find out more, such as that the server is loading its data.
    enableReadyCheck: false,
  };
}

/** User, password, and TLS of a redis:// or rediss:// address. */
function credentials({ url, tls = {} }: RedisAddress): Options {
  if (url === undefined) return {};
  const { protocol, username, password } = new URL(url);
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    // With sentinels, `tls` alone is ignored, and the password would be sent unencrypted.
    ...(protocol === 'rediss:' && { tls, sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

/** The number of the database in a Redis URL; 0 if it has none. A cluster has only database 0. */
export function databaseOf(url: string | undefined): number {
  return url === undefined ? 0 : Number(new URL(url).pathname.slice(1));
}
