import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { InvalidInputError } from '../errors.js';
import { withTimeLimit } from '../time-limit.js';
import type { AppContext } from './context.js';
import { HttpError } from './error-responses.js';

export const MAX_BODY_BYTES = 16 * 1024;

/** So much of a body that is too large is read and thrown away, and for so long at most. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
const DISCARD_TIMEOUT_MS = 1000;

const notAnObject = () =>
  new InvalidInputError('Invalid request', 'Request body must be a JSON object');

/**
 * Reads a JSON object from a request's body.
 * @throws InvalidInputError when it is none, HttpError 413 above 16 KiB, HttpError 408 when it is slow
 * @param limitMs the body must be complete within so many milliseconds from now
 */
export async function readJsonObject(
  ctx: AppContext,
  limitMs: number,
): Promise<Record<string, unknown>> {
  if (!ctx.is('application/json')) throw notAnObject();
  // JSON is UTF-8 (RFC 8259, 8.1).
  if (!/^(utf-?8|us-ascii)?$/i.test(ctx.request.charset)) throw notAnObject();
  // Read as it is, compressed bytes are no JSON, but JSON that claims to be compressed would pass.
  if (!['', 'identity'].includes(ctx.get('Content-Encoding').toLowerCase())) throw notAnObject();
  const text = await readText(ctx.req, ctx.get('Content-Length'), limitMs);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw notAnObject();
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notAnObject();
  return body as Record<string, unknown>;
}

/** A body that is not complete in time. */
export function tooSlow(): HttpError {
  return new HttpError(408, 'Request timeout', 'The request body was not received in time');
}

/** A body that is longer than any place needs. */
export function tooLarge(): HttpError {
  const message = `Request body must not exceed ${MAX_BODY_BYTES / 1024} KiB`;
  return new HttpError(413, 'Payload too large', message);
}

async function readText(
  request: IncomingMessage,
  length: string,
  limitMs: number,
): Promise<string> {
  const received = getRawBody(request, {
    length: length === '' ? null : length,
    limit: MAX_BODY_BYTES,
    encoding: 'utf-8',
  });
  try {
    return await withTimeLimit({ limitMs, late: tooSlow }, () => received);
  } catch (error) {
    if (isTooLarge(error)) {
      await discardRest(request);
      throw tooLarge();
    }
    if (error instanceof HttpError) throw error;
    throw notAnObject();
  }
}

/**
 * Reads on for a while: a client that is cut off in the middle of sending gets a connection error
 * and never sees the answer.
 */
function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let discarded = 0;
    const enough = () => {
      clearTimeout(timer);
      request.off('data', count).off('close', enough).pause();
      resolve();
    };
    const count = (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded > MAX_DISCARDED_BYTES) enough();
    };
    const timer = setTimeout(enough, DISCARD_TIMEOUT_MS);
    request.on('data', count).once('end', enough).once('close', enough).resume();
  });
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}
