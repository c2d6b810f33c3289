import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { commandReader } from './resp.js';

/** What went through since the last `reset`. */
export interface Traffic {
  /** The commands' names, in upper case. */
  commands: string[];
  /**
   * Trips one after the other: how often something was sent after a reply had come, all connections
   * together. What goes out before any reply is one trip, however many commands it is.
   */
  trips: number;
}

/** An address in front of Redis that counts what passes. */
export interface CountingRelay {
  readonly port: number;
  reset(): void;
  traffic(): Traffic;
  close(): void;
}

export async function startCountingRelay(target: number): Promise<CountingRelay> {
  let commands: string[] = [];
  let trips = 0;
  let lastWasSent = false;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const onward = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        onward.destroy();
      });
    }
    const read = commandReader((name) => commands.push(name));
    client.on('data', (chunk: Buffer) => {
      read(chunk);
      if (!lastWasSent) trips += 1;
      lastWasSent = true;
      onward.write(chunk);
    });
    onward.on('data', (chunk: Buffer) => {
      lastWasSent = false;
      client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    reset() {
      commands = [];
      trips = 0;
      lastWasSent = false;
    },
    traffic: () => ({ commands: [...commands], trips }),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
