import type { Socket } from 'node:net';

/** After decompression. The largest real responses have 100 KB. A hostile megabyte blocks the event loop for 70 ms. */
export const MAX_BODY_BYTES = 256 * 1024;

/**
 * Bounds on what one response may cost on its connection. Node.js bounds the headers of a response, but neither interim
 * responses (1xx), nor empty lines before the status, nor the pieces of a body. At a bound: under 10 ms of CPU time.
 */
const BOUNDS = {
  /** Everything that is received: the body before its decompression, the headers, and the sizes of chunks. */
  bytes: MAX_BODY_BYTES + 64 * 1024,
  /** The pieces in which the network delivers it. The largest body has 180 packets of the usual size. */
  packets: 250,
  /** Ends of lines (CR LF): a header, an interim response, and a chunk have at least one each. */
  lines: 2000,
};

const LINE_END = Buffer.from('\r\n');

export class ExcessError extends Error {
  override readonly name = 'ExcessError';
}

/** Ends a connection that receives something between two requests: it belongs to no request, and may be endless. */
function endIdle(this: Socket): void {
  this.destroy();
}

/** Counts what a connection receives for one request, and ends the connection at the first excess. */
export function createReceived(socket: Socket) {
  const counts = { bytes: 0, packets: 0, lines: 0 };
  let excess: ExcessError | undefined;

  function count(packet: Buffer): void {
    counts.bytes += packet.length;
    counts.packets += 1;
    for (
      let at = packet.indexOf(LINE_END);
      at >= 0 && counts.lines <= BOUNDS.lines;
      at = packet.indexOf(LINE_END, at + LINE_END.length)
    ) {
      counts.lines += 1;
    }
    const exceeded = (['bytes', 'packets', 'lines'] as const).find(
      (unit) => counts[unit] > BOUNDS[unit],
    );
    if (exceeded === undefined) return;
    excess ??= new ExcessError(`more than ${BOUNDS[exceeded]} ${exceeded}`);
    // The parser of Node.js, which receives the packet next, stops at the first byte of it.
    packet.fill(0);
    socket.destroy();
  }
  socket.off('data', endIdle).on('data', count);

  return {
    get bytes(): number {
      return counts.bytes;
    },
    get excess(): ExcessError | undefined {
      return excess;
    },
    /** Ends the counting: the request has its response. */
    stop(): void {
      socket.off('data', count).on('data', endIdle);
    },
  };
}
