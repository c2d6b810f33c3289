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
    const late: { bytes: Buffer; at: number }[] = [];
    let timer: NodeJS.Timeout | undefined;
    function release(): void {
      timer = undefined;
      while (late[0] && late[0].at <= performance.now()) socket.write(late.shift()!.bytes);
      if (late[0]) timer = setTimeout(release, Math.ceil(late[0].at - performance.now()));
    }
    /** Never before what came earlier. */
    function hold(bytes: Buffer, milliseconds: number, apartMs = 0): void {
      const earlier = late.at(-1)?.at ?? 0;
      late.push({ bytes, at: Math.max(earlier + apartMs, performance.now() + milliseconds) });
      if (!timer) release();
    }
    onward.on('data', (chunk: Buffer) => {
      if (trickleMs === 0) hold(chunk, delayMs + jitterMs * (2 * Math.random() - 1));
      else for (const byte of chunk) hold(Buffer.of(byte), trickleMs, trickleMs);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      late.length = 0;
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
