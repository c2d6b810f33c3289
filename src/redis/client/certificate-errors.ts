import { connect } from 'node:tls';
import type { Address } from '../../config/rules.js';
import type { RedisClient } from './store.js';

/** Between two looks, and the longest that one may take. */
const INTERVAL_MS = 5000;
const LIMIT_MS = 2000;

/**
 * The clients of sentinels and of clusters only say that a connection was closed, also when they
 * refused a certificate. After such an error this asks the nodes, and the client emits the cause.
 */
export function tellCertificateErrors(client: RedisClient, nodes: Address[]): void {
  let askedAt = -Infinity;
  client.on('error', () => {
    const now = performance.now();
    if (now - askedAt < INTERVAL_MS) return;
    askedAt = now;
    for (const node of nodes) {
      const socket = connect({ ...node, timeout: LIMIT_MS });
      const end = () => socket.destroy();
      socket.once('secureConnect', end).once('timeout', end);
      socket.once('error', (error) => client.emit('error', error));
    }
  });
}
