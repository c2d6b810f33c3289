import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';

/** What a path does before or instead of its regular response. Plain JSON: it is sent to other processes. */
export type Behaviour = {
  /** Milliseconds before the response. */
  delayMs?: number;
  /** Applies to calls with this key only, such as `51.5085,-0.1257` or the name of a city. */
  key?: string;
  /** The number of calls to which it applies; without it, it applies until it is replaced. */
  times?: number;
} & Fault;

type Fault =
  | { kind: 'ok' }
  | { kind: 'hang' }
  /** Sends the headers and half of the body, and then nothing. */
  | { kind: 'stall' }
  | { kind: 'reset' }
  | { kind: 'status'; status: number; body?: string; headers?: Record<string, string> }
  | { kind: 'redirect'; location: string; status?: number }
  | { kind: 'truncated' }
  | { kind: 'html' }
  /** Sends NaN in place of each number, which is not JSON. */
  | { kind: 'nan' }
  /** Sends megabytes of valid JSON. */
  | { kind: 'huge'; megabytes?: number }
  | { kind: 'gzip-bomb'; megabytes?: number }
  /** Sends the 429 of Open-Meteo, which names the quota window in its text. */
  | { kind: 'quota'; window: 'minute' | 'hour' | 'day' | 'concurrent' };

const QUOTA_REASONS = {
  minute: 'Minutely API request limit exceeded. Please try again in one minute.',
  hour: 'Hourly API request limit exceeded. Please try again in the next hour.',
  day: 'Daily API request limit exceeded. Please try again tomorrow.',
  concurrent: 'Too many concurrent requests',
};

const HTML = '<!DOCTYPE html><html><body><h1>We will be right back</h1></body></html>';
const MEBIBYTE = Buffer.alloc(1024 * 1024, ' ');
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Sends a mebibyte at a time, no faster than it is read. Stops when the connection is closed. */
async function pour(response: ServerResponse, piece: Buffer, times: number, end: Buffer) {
  function* pieces() {
    for (let sent = 0; sent < times; sent += 1) yield piece;
    yield end;
  }
  await pipeline(Readable.from(pieces()), response).catch(() => undefined);
}

/**
 * Responds with a fault.
 * @param regular the body of the regular response
 */
export async function play(
  fault: Exclude<Fault, { kind: 'ok' }>,
  request: IncomingMessage,
  response: ServerResponse,
  regular: string,
): Promise<void> {
  switch (fault.kind) {
    case 'hang':
      return;
    case 'stall':
      response.writeHead(200, JSON_TYPE);
      response.write(regular.slice(0, Math.ceil(regular.length / 2)));
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'text/plain', ...fault.headers });
      response.end(fault.body ?? '');
      return;
    case 'redirect':
      response.writeHead(fault.status ?? 302, { location: fault.location });
      response.end();
      return;
    case 'truncated':
      response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(regular) });
      response.write(regular.slice(0, Math.ceil(regular.length / 2)), () => response.destroy());
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(HTML);
      return;
    case 'nan':
      response.writeHead(200, JSON_TYPE);
      response.end(regular.replaceAll(/:-?\d+(\.\d+)?/g, ':NaN'));
      return;
    case 'huge':
      response.writeHead(200, JSON_TYPE);
      await pour(response, MEBIBYTE, fault.megabytes ?? 256, Buffer.from(regular));
      return;
    case 'gzip-bomb': {
      // A gzip stream may consist of many members: a kilobyte on the wire for each mebibyte.
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      await pour(response, gzipSync(MEBIBYTE), fault.megabytes ?? 256, gzipSync(regular));
      return;
    }
    case 'quota':
      response.writeHead(429, JSON_TYPE);
      response.end(JSON.stringify({ error: true, reason: QUOTA_REASONS[fault.window] }));
  }
}
