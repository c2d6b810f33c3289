import { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from '../../config/config.js';
import { connectToCluster, connectToMember } from './cluster.js';
import { credentials, currentPassword, type Options, type Purpose } from './credentials.js';
import { MAX_SILENCE_MS, reconnectDelay, SILENT_CONNECTION_MS } from './timing.js';

export type RedisClient = Redis | Cluster;

const connected = new Set<RedisClient>();

/** Creates a client that connects, and connects again after a failure, without a limit. */
export function connect(address: RedisAddress, purpose: Purpose): RedisClient {
  const client = create(address, purpose);
  client.on('connect', () => connected.add(client));
  client.on('end', () => connected.delete(client));
  client.on('error', ({ message }: Error) => {
    // Otherwise the client continues in database 0.
    if (message.includes('DB index is out of range')) client.disconnect(true);
    if (message.startsWith('Command queue state error')) destroyConnections(client);
  });
  return client;
}

/** Returns the connections of a client: one, or those to the nodes of a cluster. */
export const connectionsOf = (client: RedisClient): { stream: Redis['stream'] | undefined }[] =>
  client instanceof Cluster ? client.nodes() : [client];

/** Ends the connections of a client. It connects again. */
export function destroyConnections(client: RedisClient): void {
  for (const connection of connectionsOf(client)) destroyConnection(connection);
}

/** Ends a connection, and discards what was sent over it but not yet delivered. */
export function destroyConnection({ stream }: { stream: Redis['stream'] | undefined }): void {
  // It is absent until the first attempt to connect. Node.js does not reset a TLS connection.
  if (!stream || 'encrypted' in stream) stream?.destroy();
  else stream.resetAndDestroy();
}

/**
 * Handles an uncaught exception of the library: a reply that is not one to the oldest command. The
 * library throws it in a tick of its own (ioredis 6.0.0, `dispatch` in DataHandler.js) and does not
 * name its connection: all connections of the process end. Remove this when
 * https://github.com/redis/ioredis/issues/1981 is resolved.
 * @returns whether the exception is one of the library
 */
export function destroyOnLibraryError({ stack = '' }: Error): boolean {
  const [, thrownAt = ''] = /^\s+at (.*)$/m.exec(stack) ?? [];
  if (!thrownAt.includes('/ioredis/')) return false;
  for (const client of connected) destroyConnections(client);
  return true;
}

function create(address: RedisAddress, purpose: Purpose): RedisClient {
  const options: Options = {
    ...credentials(address),
    ...optionsFor(purpose),
    connectTimeout: MAX_SILENCE_MS,
    // Without this limit, a connection without health checks would never leave a frozen server.
    socketTimeout: 2 * MAX_SILENCE_MS,
    // Called as a method of the options of the client, also of BullMQ's duplicate.
    retryStrategy(this: unknown, attempt) {
      Object.assign(this as Options, currentPassword(address));
      return reconnectDelay(attempt);
    },
    // The library ignores these replies, which may say why a server rejects a connection.
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
        sentinelRetryStrategy: reconnectDelay,
        // Otherwise a connection stays at the old master for ten seconds after SENTINEL FAILOVER,
        // and at one that hangs for longer: https://github.com/redis/ioredis/issues/1314.
        failoverDetector: true,
        sentinelCommandTimeout: SILENT_CONNECTION_MS,
      });
    case 'cluster':
      return purpose === 'subscriber'
        ? connectToMember(address, options)
        : connectToCluster(address, purpose, options);
  }
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
    // The library's own resubscription ends the process if Redis rejects the subscription. Remove
    // this with the release after ioredis 6.0.0, which has
    // https://github.com/redis/ioredis/pull/2187.
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

/** The number of the database in a Redis URL; 0 if it has none. A cluster has only database 0. */
export function databaseOf(url: string | undefined): number {
  return url === undefined ? 0 : Number(new URL(url).pathname.slice(1));
}
