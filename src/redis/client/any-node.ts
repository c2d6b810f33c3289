import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, type RedisOptions } from 'ioredis';
import type { Address } from '../../config/rules.js';

/**
 * Makes a connector that leads a connection to one of several nodes, and to the next one after each
 * reconnect. A cluster sends published messages to all of its nodes. The library's own subscription for
 * clusters stays at a node that hangs.
 * @param nodes the nodes to choose from at the time of each attempt
 */
export function connectorToAnyOf(
  nodes: () => Address[],
): new (options: unknown) => AbstractConnector {
  let attempts = Math.floor(Math.random() * nodes().length);
  return class extends AbstractConnector {
    private readonly tls: RedisOptions['tls'];

    constructor(options: unknown) {
      const { disconnectTimeout = 0, tls } = options as RedisOptions;
      super(disconnectTimeout);
      this.tls = tls;
    }

    connect(): Promise<typeof this.stream> {
      const present = nodes();
      const node = present[(attempts += 1) % present.length];
      if (!node) return Promise.reject(new Error('No node is known'));
      this.connecting = true;
      this.stream = this.tls ? connectTls({ ...node, ...this.tls }) : connectPlain(node);
      this.stream.once('error', (error: Error) => {
        this.firstError = error;
      });
      return Promise.resolve(this.stream);
    }
  };
}
