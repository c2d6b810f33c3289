import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server on 127.0.0.1 that can be made late, held up or cut while it is in use. */
export interface Wire {
  readonly port: number;
  /** What comes back is late by `ms` from now on, and by up to `jitterMs` more. */
  delayBy(ms: number, jitterMs?: number): void;
  /** Nothing passes in either direction until `release`. Nothing is lost. */
  hold(): void;
  release(): void;
  /** Ends all connections, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** New connections lead there from now on. */
  leadTo(port: number): void;
  close(): void;
}

/** What was sent and waits to be handed on; `undefined` is the end of the stream. */
interface Parcel {
  due: number;
  bytes: Buffer | undefined;
}

export async function layWire(firstTarget: number): Promise<Wire> {
  let target = firstTarget;
  let [delayMs, jitterMs] = [0, 0];
  let held = false;
  let isCut = false;
  const sockets = new Set<Socket>();
  const pumps = new Set<() => void>();

  /** Hands on in order, as TCP does, also what was sent before the sender went away. */
  function carry(from: Socket, to: Socket, lateness: () => number): void {
    const parcels: Parcel[] = [];
    let timer: NodeJS.Timeout | undefined;
    let lastDue = 0;

    function pump(): void {
      clearTimeout(timer);
      timer = undefined;
      while (!held && parcels[0]) {
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
      lastDue = Math.max(lastDue, performance.now() + lateness());
      parcels.push({ due: lastDue, bytes });
      if (parcels.length === 1) pump();
    }
    pumps.add(pump);
    to.once('close', () => {
      clearTimeout(timer);
      pumps.delete(pump);
      from.destroy();
    });
    from.on('data', add);
    from.once('close', () => {
      add(undefined);
    });
  }

  const server = createServer((socket) => {
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
    carry(socket, onward, () => 0);
    carry(onward, socket, () => delayMs + Math.random() * jitterMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const release = () => {
    held = false;
    for (const pump of pumps) pump();
  };
  return {
    port: (server.address() as AddressInfo).port,
    delayBy(ms, jitter = 0) {
      [delayMs, jitterMs] = [ms, jitter];
    },
    hold() {
      held = true;
    },
    release,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
      release();
    },
    leadTo(port) {
      target = port;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
