import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Lifetime } from './lifetime.js';
import { createRandom } from './random.js';
import { SEED } from './seed.js';

/** A way to a server on 127.0.0.1 that can be made late, held up, cut or led elsewhere while in use. */
export interface Relay {
  readonly port: number;
  /** New connections lead there from now on. */
  leadTo(port: number): void;
  /**
   * What comes back is late from now on, in its order.
   * @param milliseconds how late
   * @param jitterMs each piece is later by up to so much more
   */
  delayBy(milliseconds: number, jitterMs?: number): void;
  /** What clients send is this many milliseconds late from now on, in its order. */
  delaySentBy(milliseconds: number): void;
  /** What comes back trickles in from now on, one byte after so many milliseconds; 0: no more. */
  trickle(milliseconds: number): void;
  /** Nothing passes in either direction until `release`. Nothing is lost. */
  hold(): void;
  release(): void;
  /** Ends all connections, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** Connections since the start. */
  accepted(): number;
  close(): void;
}

/** Sees what passes, before it is passed on. */
export interface Tap {
  /** What clients send; made anew for each connection. */
  sent: () => (bytes: Buffer) => void;
  received: () => void;
}

/** What was sent and waits to be handed on; `undefined` is the end of the stream. */
interface Parcel {
  due: number;
  bytes: Buffer | undefined;
}

/** Relays TCP on 127.0.0.1 until the test or the suite ends. */
export async function startRelay(t: Lifetime, target: number): Promise<Relay> {
  const relay = await openRelay(target);
  t.after(() => {
    relay.close();
  });
  return relay;
}

/** Relays TCP on 127.0.0.1 until it is closed. */
export async function openRelay(firstTarget: number, tap?: Tap): Promise<Relay> {
  const random = createRandom(SEED);
  let target = firstTarget;
  let [delayMs, jitterMs, trickleMs, sentDelayMs] = [0, 0, 0, 0];
  let [isHeld, isCut] = [false, false];
  let accepted = 0;
  const sockets = new Set<Socket>();
  const pumps = new Set<() => void>();

  /** Hands on in order, as TCP does, also what was sent before the sender went away. */
  function carry(from: Socket, to: Socket, isBack: boolean, see?: (bytes: Buffer) => void): void {
    const parcels: Parcel[] = [];
    let timer: NodeJS.Timeout | undefined;
    let lastDue = 0;

    function pump(): void {
      clearTimeout(timer);
      while (!isHeld && parcels[0]) {
        const wait = parcels[0].due - performance.now();
        if (wait > 0.5) {
          timer = setTimeout(pump, wait);
          return;
        }
        const { bytes } = parcels.shift()!;
        if (bytes) to.write(bytes);
        else to.end();
      }
    }
    function add(bytes: Buffer | undefined, lateMs: number, apartMs = 0): void {
      lastDue = Math.max(lastDue + apartMs, performance.now() + lateMs);
      parcels.push({ due: lastDue, bytes });
      if (parcels.length === 1) pump();
    }
    pumps.add(pump);
    to.once('close', () => {
      clearTimeout(timer);
      pumps.delete(pump);
      from.destroy();
    });
    from.on('data', (chunk: Buffer) => {
      see?.(chunk);
      if (!isBack) add(chunk, sentDelayMs);
      else if (trickleMs === 0) add(chunk, delayMs + random.next() * jitterMs);
      else for (const byte of chunk) add(Buffer.of(byte), trickleMs, trickleMs);
    });
    from.once('close', () => {
      add(undefined, isBack ? delayMs : sentDelayMs);
    });
  }

  const server = createServer((socket) => {
    accepted += 1;
    if (isCut) {
      socket.destroy();
      return;
    }
    const onward = connect(target, '127.0.0.1');
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.setNoDelay(true);
      end.on('error', () => undefined);
      end.once('close', () => sockets.delete(end));
    }
    carry(socket, onward, false, tap?.sent());
    carry(onward, socket, true, tap?.received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const release = () => {
    isHeld = false;
    for (const pump of pumps) pump();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port;
    },
    delayBy(milliseconds, jitter = 0) {
      [delayMs, jitterMs] = [milliseconds, jitter];
    },
    delaySentBy(milliseconds) {
      sentDelayMs = milliseconds;
    },
    trickle(milliseconds) {
      trickleMs = milliseconds;
    },
    hold() {
      isHeld = true;
    },
    release,
    cut() {
      isCut = true;
      endAll();
    },
    mend() {
      isCut = false;
      release();
    },
    accepted: () => accepted,
    close() {
      server.close();
      endAll();
    },
  };
}
