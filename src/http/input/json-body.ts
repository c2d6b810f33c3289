import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { parseBounded } from '../../base/bounded-json.js';
import { InvalidInputError } from '../../base/errors.js';
import { isObject } from '../../base/is-object.js';
import { inTime } from '../../base/time-limit.js';
import { BoundedRequest, MAX_PIECES } from '../../process/bounded-server.js';
import type { AppContext } from '../context.js';
import { HttpError } from '../error-answers.js';

const MAX_BODY_BYTES = 16 * 1024;
/** Milliseconds that a client has to send a body. */
export const BODY_MS = 30_000;
/**
 * Maximum number of commas and opening brackets in a body. Real bodies have up to 50. Node.js takes 0.8 ms for 8,000 brackets, and
 * the MCP package validates each part.
 */
const MAX_PARTS = 500;

const notAnObject = (addition = '') =>
  new InvalidInputError('Invalid request', `Request body must be a JSON object${addition}`);

/**
 * Reads a JSON object from the body of a request.
 * @throws InvalidInputError if the body is not a JSON object, or exceeds a bound of `parseBounded`
 * @throws HttpError 413 if the body is too large, 408 if it is not complete in time
 */
export async function readJsonObject(ctx: AppContext): Promise<Record<string, unknown>> {
  if (ctx.req.headers['content-type'] === undefined) {
    throw notAnObject(', sent with the header Content-Type: application/json');
  }
  // JSON is UTF-8 (RFC 8259, 8.1).
  const isUtf8 = /^(utf-?8|us-ascii)?$/i.test(ctx.request.charset);
  // Compressed bytes are not JSON. JSON with a wrong `Content-Encoding` is rejected, too.
  const isPlain = /^(identity)?$/i.test(ctx.get('Content-Encoding'));
  if (!ctx.is('application/json') || !isUtf8 || !isPlain) throw notAnObject();
  const body = await readJson(ctx.req);
  if (!isObject(body)) throw notAnObject();
  return body;
}

function tooSlow(): HttpError {
  return new HttpError(408, 'Request timeout', 'The request body was not received in time');
}

function tooLarge(): HttpError {
  const [kib, pieces] = [MAX_BODY_BYTES / 1024, MAX_PIECES.toLocaleString('en')];
  const message = `Request body must not exceed ${kib} KiB and ${pieces} pieces`;
  return new HttpError(413, 'Payload too large', message);
}

/** Reads JSON from the body of a request. @returns undefined if it is not JSON @throws as `readJsonObject` does */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (request instanceof BoundedRequest && request.isExcessive) throw tooLarge();
  const length = request.headers['content-length'] ?? null;
  const received = getRawBody(request, { length, limit: MAX_BODY_BYTES, encoding: 'utf-8' }).catch(
    (error: unknown) => {
      throw failure(error);
    },
  );
  const exceeded = new Promise<never>((_resolve, reject) => {
    request.once('excess', () => {
      reject(tooLarge());
    });
  });
  const text = await inTime(Promise.race([received, exceeded]), BODY_MS, tooSlow);
  try {
    return parseBounded(text, MAX_PARTS);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw notAnObject();
  }
}

/** Returns the error for a failure of raw-body, whose status is 4xx if the client has caused it. */
function failure(error: unknown): unknown {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  if (status === 413) return tooLarge();
  return status < 500 ? notAnObject() : error;
}
