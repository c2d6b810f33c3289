import type { Socket } from 'node:net';

/** After decompression. Real responses have up to 100 KB. A hostile megabyte takes 70 ms. */
export const MAX_BODY_BYTES = 256 * 1024;

/**
 * Bounds on what one response may cost on its connection, under 10 ms of CPU time. Node.js bounds
 * headers, but no interim responses (1xx), empty lines before the status, or pieces of a body.
 */
const BOUNDS = {
  /** Everything that is received: the compressed body, headers, and sizes of chunks. */
  bytes: MAX_BODY_BYTES + 64 * 1024,
  /** The pieces in which it arrives. The largest body has 180 packets of the usual size. */
  packets: 250,
  /** Ends of lines (CR LF): a header, an interim response, and a chunk have at least one each. */
  lines: 2000,
};

const LINE_END = Buffer.from('\r\n');

export class ExcessError extends Error {
  override readonly name = 'ExcessError';
}

/** Ends an idle connection that receives data, which could be endless. */
function endIdle(this: Socket): void {
  this.destroy();
}

/** Counts what a connection receives for a request, and ends it at the first excess. */
export function createResponseLimits(socket: Socket) {
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
