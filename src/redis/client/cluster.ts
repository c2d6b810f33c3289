import { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from '../../config/config.js';
import type { Address } from '../../config/rules.js';
import { currentPassword, type Options, type Purpose } from './credentials.js';
import { CONNECTION_CLOSED } from './redis-errors.js';
import { MAX_SILENCE_MS, reconnectDelay } from './timing.js';

type ClusterAddress = Extract<RedisAddress, { kind: 'cluster' }>;

/** The nodes that each cluster has reported last. They change when nodes are replaced. */
const reportedNodes = new WeakMap<ClusterAddress, readonly Address[]>();

const membersOf = (address: ClusterAddress) => reportedNodes.get(address) ?? address.nodes;

/** Creates a client for a cluster, which also works after all configured nodes are replaced. */
export function connectToCluster(
  address: ClusterAddress,
  purpose: Purpose,
  options: Options,
): Cluster {
  const cluster = new Cluster([...membersOf(address)], {
    // At the top level: in redisOptions a cluster ignores it.
    enableOfflineQueue: purpose !== 'requests',
    clusterRetryStrategy(this: unknown, attempt: number) {
      // The documented way to connect to other nodes than the configured ones, which the library
      // forgets (https://github.com/redis/ioredis/issues/1732).
      const startupNodes = attempt % 2 === 1 ? membersOf(address) : address.nodes;
      Object.assign(this as Cluster, { startupNodes: [...startupNodes] });
      // BullMQ duplicates a cluster without its listeners.
      followPassword(this as Cluster, address);
      return reconnectDelay(attempt);
    },
    // By default, commands of a lost connection are sent again, which could count twice.
    ...(purpose === 'requests' && { retryDelayOnFailover: 0 }),
    slotsRefreshInterval: MAX_SILENCE_MS,
    // Certificates name hosts: the client must not resolve them to addresses.
    dnsLookup: (host, done) => {
      done(null, host);
    },
    redisOptions: options,
  });
  followPassword(cluster, address);
  cluster.on('refresh', () => {
    const nodes = cluster.nodes().map(({ options: { host = '', port = 0 } }) => ({ host, port }));
    // A node that was removed from its cluster reports none.
    if (nodes.length > 0) reportedNodes.set(address, nodes);
  });
  cluster.on('node error', (error: Error, node: string) => {
    const { message } = error;
    if (message === CONNECTION_CLOSED) return;
    const text = message.includes(node) ? message : `${message} at ${node}`;
    cluster.emit('error', Object.assign(new Error(text), { name: error.name }));
  });
  return cluster;
}

/** Makes each connection to a node read the password again, before it connects. */
function followPassword(cluster: Cluster, address: ClusterAddress): void {
  if (cluster.listenerCount('+node') > 0) return;
  cluster.on('+node', (redis: Redis) => {
    Object.assign(redis.options, currentPassword(address));
  });
}

/**
 * Connects to a member of a cluster, which sends published messages to all nodes, and to another
 * after a failure, or when it has left the cluster. The library's own subscription stays at a node
 * that hangs.
 */
export function connectToMember(address: ClusterAddress, options: Options): Redis {
  let index = Math.floor(Math.random() * address.nodes.length);
  const member = () => membersOf(address)[index % membersOf(address).length];
  const client = new Redis({
    ...options,
    ...member(),
    retryStrategy(attempt) {
      index += 1;
      Object.assign(client.options, member(), currentPassword(address));
      return reconnectDelay(attempt);
    },
  });
  const timer = setInterval(() => {
    const { host, port } = client.options;
    const isMember = membersOf(address).some((node) => node.host === host && node.port === port);
    if (!isMember && client.status === 'ready') client.disconnect(true);
  }, MAX_SILENCE_MS).unref();
  client.on('end', () => {
    clearInterval(timer);
  });
  return client;
}
