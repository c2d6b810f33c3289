import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { BoundError, parseBounded } from '../../base/bounded-json.js';
import { InvalidInputError } from '../../base/errors.js';
import { isObject } from '../../base/is-object.js';
import { inTime } from '../../base/time-limit.js';
import { printable } from '../../text/printable.js';
import { BoundedRequest, MAX_PIECES } from '../../process/bounded-server.js';
import type { AppContext } from '../context.js';
import { HttpError } from '../error-answers.js';
import { mistakeIn } from './json-mistake.js';

const MAX_BODY_BYTES = 16 * 1024;
/** Milliseconds that a client has to send a body. */
export const BODY_MS = 30_000;
/**
 * Maximum number of commas and opening brackets outside of texts. Real bodies have up to 50.
 * Node.js takes 0.8 ms for 8,000 brackets, and the MCP package validates each part.
 */
const MAX_PARTS = 500;
/** Maximum length of the content type that an error repeats. */
const MAX_TYPE_LENGTH = 100;

/** @param reason a sentence that says what to change, or '' */
function notAnObject(reason = ''): InvalidInputError {
  const rule = 'Request body must be a JSON object';
  return new InvalidInputError('Invalid request', reason === '' ? rule : `${rule}. ${reason}`);
}

/**
 * Reads a JSON object from the body of a request.
 * @throws InvalidInputError if the body is not a JSON object, or exceeds a bound of `parseBounded`
 * @throws HttpError 413 if the body is too large, 408 if it is not complete in time
 */
export async function readJsonObject(ctx: AppContext): Promise<Record<string, unknown>> {
  checkType(ctx);
  const text = await readText(ctx.req);
  const body = parse(text);
  if (isObject(body)) return body;
  throw notAnObject(body === undefined ? explain(text) : explainValue(body));
}

/** @throws InvalidInputError if the headers of a request do not describe JSON */
function checkType(ctx: AppContext): void {
  const type = ctx.req.headers['content-type'];
  const isJson = ctx.is('application/json');
  // Without a body, which is the error: its type does not matter.
  if (isJson === null || ctx.request.length === 0) return;
  if (!type || !isJson) {
    const sent = !type ? 'no Content-Type' : `Content-Type: ${shown(type)}`;
    const hint = ctx.is('urlencoded') ? ', the default of curl -d' : '';
    throw notAnObject(
      `Send it with Content-Type: application/json. This request has ${sent}${hint}.`,
    );
  }
  // JSON is UTF-8 (RFC 8259, 8.1).
  if (!/^(utf-?8|us-ascii)?$/i.test(ctx.request.charset)) {
    throw notAnObject(`Send it in UTF-8. This request has Content-Type: ${shown(type)}.`);
  }
  // Compressed bytes are not JSON. JSON with a wrong `Content-Encoding` is rejected, too.
  const coding = ctx.get('Content-Encoding');
  if (!/^(identity)?$/i.test(coding)) {
    throw notAnObject(`Send it uncompressed. This request has Content-Encoding: ${shown(coding)}.`);
  }
}

const shown = (header: string) => printable(header, MAX_TYPE_LENGTH);

function tooSlow(): HttpError {
  return new HttpError(408, 'Request timeout', 'The request body was not received in time');
}

function tooLarge(): HttpError {
  const [kib, pieces] = [MAX_BODY_BYTES / 1024, MAX_PIECES.toLocaleString('en')];
  const message = `Request body must not exceed ${kib} KiB and ${pieces} pieces`;
  return new HttpError(413, 'Payload too large', message);
}

/** Reads JSON. @returns undefined if the body is not JSON @throws as `readJsonObject` does */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  return parse(await readText(request));
}

async function readText(request: IncomingMessage): Promise<string> {
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
  return inTime(Promise.race([received, exceeded]), BODY_MS, tooSlow);
}

/** @returns undefined if the text is not JSON @throws InvalidInputError if it exceeds a bound */
function parse(text: string): unknown {
  try {
    return parseBounded(text, MAX_PARTS);
  } catch (error) {
    if (error instanceof BoundError) throw notAnObject(`This one has ${error.message}.`);
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The usual mistakes, by the character that is not JSON and the one before it. */
const USUAL_MISTAKES: [pair: RegExp, reason: string][] = [
  [/^,[}\]]/, 'a trailing comma is not allowed'],
  [/'$/, 'use double quotes instead of single quotes'],
  [/[“”„«»‘’]$/, 'use straight double quotes'],
  [/[/#]$/, 'comments are not allowed'],
  [/[\0\uFFFD]$/, 'send it in UTF-8'],
];

/** Returns a sentence about where a text stops being JSON. */
function explain(text: string): string {
  if (text.trim() === '') return 'This one is empty.';
  const { position, expected } = mistakeIn(text) ?? { position: text.length, expected: '' };
  if (position === text.length) return 'This one ends too early.';
  const found = String.fromCodePoint(text.codePointAt(position) ?? 0);
  const pair = `${text.slice(0, position).trimEnd().slice(-1)}${found}`;
  const usual = USUAL_MISTAKES.find(([pattern]) => pattern.test(pair));
  const reason = usual?.[1] ?? `${expected} is expected`;
  return `This one is not JSON at position ${position}, at ${JSON.stringify(found)}: ${reason}.`;
}

/** Returns a sentence about JSON that is no object. */
function explainValue(value: unknown): string {
  const type = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return `This one is ${value === null ? 'null' : type}.`;
}

/** Returns the error for a failure of raw-body, whose status is 4xx if the client has caused it. */
function failure(error: unknown): unknown {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  if (status === 413) return tooLarge();
  return status < 500 ? notAnObject() : error;
}
