import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Lifetime } from './lifetime.js';

export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** A chunk that waits to be forwarded. `undefined` is the end of the stream. */
interface Parcel {
  due: number;
  bytes: Buffer | undefined;
}

/**
 * Starts a TCP proxy in front of a server on 127.0.0.1 that can delay, hold, and cut connections,
 * until the test or the suite ends.
 */
export async function startRelay(t: Lifetime, firstTarget: number) {
  let target = firstTarget;
  let delayMs = 0;
  let [isHeld, isCut] = [false, false];
  let tamper = (bytes: Buffer): Buffer[] => [bytes];
  let accepted = 0;
  const sockets = new Set<Socket>();
  const pumps = new Set<() => void>();

  /** Forwards in order, also the bytes from before the sender disconnected. */
  function carry(from: Socket, to: Socket, isBack: boolean): void {
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
    function add(bytes: Buffer | undefined): void {
      lastDue = Math.max(lastDue, performance.now() + (isBack ? delayMs : 0));
      parcels.push({ due: lastDue, bytes });
      if (parcels.length === 1) pump();
    }
    pumps.add(pump);
    to.once('close', () => {
      clearTimeout(timer);
      pumps.delete(pump);
      from.destroy();
    });
    from.on('data', (bytes: Buffer) => {
      for (const part of isBack ? tamper(bytes) : [bytes]) add(part);
    });
    from.once('close', () => {
      add(undefined);
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
    carry(socket, onward, false);
    carry(onward, socket, true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  t.after(() => {
    server.close();
    endAll();
  });
  const release = () => {
    isHeld = false;
    for (const pump of pumps) pump();
  };
  return {
    port: (server.address() as AddressInfo).port,
    /** Forwards later connections to the server at this port. */
    leadTo(port: number) {
      target = port;
    },
    /** Delays the bytes from the server by this many milliseconds, in order. */
    delayBy(milliseconds: number) {
      delayMs = milliseconds;
    },
    /** Replaces each chunk from the server by these chunks. */
    tamperBy(next: (bytes: Buffer) => Buffer[]) {
      tamper = next;
    },
    /** Holds all bytes in both directions until `release`. Loses nothing. */
    hold() {
      isHeld = true;
    },
    release,
    /** Closes all connections, and rejects new ones until `mend`. */
    cut() {
      isCut = true;
      endAll();
    },
    mend() {
      isCut = false;
      release();
    },
    /** Number of connections since the start. */
    accepted: () => accepted,
  };
}
