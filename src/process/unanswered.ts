import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Number of unanswered requests at which the process stops reading from a connection. */
const PAUSE_AT = 32;
/** Number of unanswered requests at which it reads again. */
const RESUME_AT = 16;
/** Number of unanswered requests at which it closes the connection: one chunk of 64 KB can contain a thousand. */
const CLOSE_AT = 256;

/**
 * Bounds the number of unanswered requests of each connection. Node.js itself bounds only the bytes of
 * the responses that wait, so pipelined requests without a response could fill the memory.
 * @returns a listener that passes requests on to `listener`
 */
export function limitUnanswered(listener: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();

  function countAnswer(this: ServerResponse): void {
    const { socket } = this.req;
    const count = (unanswered.get(socket) ?? 1) - 1;
    unanswered.set(socket, count);
    if (count === RESUME_AT) socket.resume();
  }

  return (request, response) => {
    const { socket } = request;
    // The request is in the chunk whose earlier requests closed the connection.
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count >= CLOSE_AT) {
      socket.destroy();
      return;
    }
    // In the next tick, because Node.js resumes the socket after each message.
    if (count >= PAUSE_AT) process.nextTick(() => socket.pause());
    response.on('finish', countAnswer);
    listener(request, response);
  };
}
