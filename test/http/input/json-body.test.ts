import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { readText } from '../../../src/http/input/json-body.js';

const LIMIT_MS = 10_000;

/** A request with this body. @param length the value of `Content-Length` */
const requestOf = (body: Readable, length: string) =>
  Object.assign(body, {
    headers: { 'content-length': length },
    socket: { bytesRead: 0 },
  }) as unknown as IncomingMessage;

it('a body that the client sends incompletely is its fault, and any other failure is not', async () => {
  const short = requestOf(Readable.from([Buffer.from('{}')]), '5');
  await assert.rejects(readText(short, LIMIT_MS), { name: 'InvalidInputError' });
  const failure = new Error('the stream failed');
  const failing = new Readable({ read: () => failing.destroy(failure) });
  await assert.rejects(readText(requestOf(failing, '5'), LIMIT_MS), failure);
  const decoded = requestOf(Readable.from(['{}']).setEncoding('utf8'), '2');
  await assert.rejects(readText(decoded, LIMIT_MS), /encoding should not be set/);
});
