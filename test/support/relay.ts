import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** An address in front of another one: where it leads and how long the way is can change. */
export interface Relay {
  readonly port: number;
  /** New connections lead there from now on. */
  leadTo(port: number): void;
  /**
   * What comes back is held up from now on, in its order.
   * @param milliseconds how long
   * @param jitterMs each piece is held up for up to so much more or less
   */
  delayBy(milliseconds: number, jitterMs?: number): void;
  /** What comes back trickles in from now on, one byte after so many milliseconds; 0: no more. */
  trickle(milliseconds: number): void;
  /** Connections since the start. */
  accepted(): number;
}

/** Relays TCP on 127.0.0.1 until the test ends. */
export async function startRelay(t: TestContext, firstTarget: number): Promise<Relay> {
  let target = firstTarget;
  let delayMs = 0;
  let jitterMs = 0;
  let trickleMs = 0;
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
    let lastAt = 0;
    /** Never before what came earlier. */
    const send = (bytes: Buffer, delay: number) => {
      const now = performance.now();
      lastAt = Math.max(lastAt, now + delay);
      if (lastAt - now < 1) socket.write(bytes);
      else setTimeout(() => socket.writable && socket.write(bytes), lastAt - now);
    };
    onward.on('data', (chunk: Buffer) => {
      if (trickleMs === 0) send(chunk, delayMs + jitterMs * (2 * Math.random() - 1));
      else {
        for (const byte of chunk) {
          lastAt = Math.max(lastAt, performance.now()) + trickleMs;
          send(Buffer.from([byte]), 0);
        }
      }
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
    delayBy(milliseconds, jitter = 0) {
      delayMs = milliseconds;
      jitterMs = jitter;
    },
    trickle(milliseconds) {
      trickleMs = milliseconds;
    },
    accepted: () => accepted,
  };
}
