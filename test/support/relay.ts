import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** An address in front of another one: where it leads and how long the way is can change. */
export interface Relay {
  readonly port: number;
  /** New connections lead there from now on. */
  leadTo(port: number): void;
  /** What comes back is held up for so many milliseconds from now on. */
  delayBy(milliseconds: number): void;
  /** Connections since the start. */
  accepted(): number;
}

/** Relays TCP on 127.0.0.1 until the test ends. */
export async function startRelay(t: TestContext, firstTarget: number): Promise<Relay> {
  let target = firstTarget;
  let delayMs = 0;
  let accepted = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    accepted += 1;
    const onward = connect(target, '127.0.0.1');
    for (const [end, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(end);
      end.setNoDelay(true);
      end.on('error', () => undefined);
      end.once('close', () => {
        sockets.delete(end);
        other.destroy();
      });
    }
    socket.pipe(onward);
    onward.on('data', (chunk: Buffer) => {
      if (delayMs === 0) socket.write(chunk);
      else setTimeout(() => socket.writable && socket.write(chunk), delayMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port;
    },
    delayBy(milliseconds) {
      delayMs = milliseconds;
    },
    accepted: () => accepted,
  };
}
